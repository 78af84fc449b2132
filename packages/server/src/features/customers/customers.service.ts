import type { Readable } from 'node:stream';
import type { Principal } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import { endOfDay, isDay, type Period, periodOf, startOfDay } from '../../platform/days.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { emailKey } from '../../platform/email.ts';
import { notFound } from '../../platform/errors.ts';
import type { Base } from '../../platform/feature.ts';
import type { Random } from '../../platform/random.ts';
import type { Exports } from '../../platform/spool/exports.ts';
import {
  CUSTOMERS_PAGE_SIZE,
  type CustomerFilter,
  customersExport,
  customersPage,
  type FoundCustomer,
  findCustomer,
} from './customers.queries.ts';
import type { CustomerDetail } from './customers.schemas.ts';
import type { RowStanding, Standing } from './standing.schemas.ts';

export interface CustomerRow {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
}

/** How a customer stands, and each serial by its id. */
export interface CustomerStanding {
  whole: Standing;
  serials: ReadonlyMap<string, RowStanding>;
}

/** Port: the rule belongs to the serials. */
export interface CustomerStandings {
  ofCustomer(sql: Sql, caller: Principal, id: string, most: number | null): Promise<CustomerStanding>;
}

interface RangeQuery {
  search?: string | undefined;
  dateRange: string;
}

/** Of a person's serials, machines and activity each. */
const SHOWN = 200;

/** The people who redeemed a developer's serials. */
export class Customers {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #exports: Exports;
  readonly #forgetEverywhere: Base['forgetEverywhere'];
  readonly #standings: CustomerStandings;

  constructor(
    deps: Pick<Base, 'db' | 'clock' | 'random' | 'exports' | 'forgetEverywhere'> & { standings: CustomerStandings },
  ) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#exports = deps.exports;
    this.#forgetEverywhere = deps.forgetEverywhere;
    this.#standings = deps.standings;
  }

  async byEmail(sql: Sql, developerId: string, email: string): Promise<CustomerRow | undefined> {
    const rows = await sql.query<CustomerRow>(
      'select id, email, first_name, last_name from customers where developer_id = $1 and email_key = $2',
      [developerId, emailKey(email)],
    );
    return rows[0];
  }

  /** The customer with this address, made when there is none. Names are only ever filled in, never overwritten. */
  async ensure(
    sql: Sql,
    developerId: string,
    person: { email: string; firstName?: string | null; lastName?: string | null },
  ): Promise<string> {
    const rows = await sql.query<{ id: string }>(
      `insert into customers as c (id, developer_id, email, email_key, first_name, last_name, created_at, last_login_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)
       on conflict (developer_id, email_key) do update set
         first_name = coalesce(c.first_name, excluded.first_name),
         last_name = coalesce(c.last_name, excluded.last_name),
         last_login_at = excluded.last_login_at
       returning id`,
      [
        this.#random.id(),
        developerId,
        person.email.trim(),
        emailKey(person.email),
        person.firstName || null,
        person.lastName || null,
        this.#clock.now(),
      ],
    );
    return (rows[0] as { id: string }).id;
  }

  async touch(sql: Sql, developerId: string, id: string): Promise<void> {
    await sql.query('update customers set last_login_at = $3 where developer_id = $1 and id = $2', [
      developerId,
      id,
      this.#clock.now(),
    ]);
  }

  async page(caller: Principal, query: RangeQuery & { page: number }) {
    const found = await customersPage(this.#db, this.#filter(caller, query), query.page);
    return { ...found, page: query.page, page_size: CUSTOMERS_PAGE_SIZE, time_zone: caller.timeZone };
  }

  async csv(caller: Principal, query: RangeQuery, signal: AbortSignal): Promise<Readable> {
    const order = await customersExport(this.#db, this.#filter(caller, query));
    return this.#exports.open(caller.userId, order, signal);
  }

  #filter(caller: Principal, query: RangeQuery): CustomerFilter {
    const search = query.search || undefined;
    const { timeZone } = caller;
    const searchDay: Period | null =
      search && isDay(search) ? { from: startOfDay(search, timeZone), to: endOfDay(search, timeZone) } : null;
    const period = periodOf(query.dateRange, timeZone, this.#clock);
    return { developerId: caller.userId, search, searchDay, period };
  }

  /** A person with what is newest. @throws {AppError} not_found */
  get(caller: Principal, id: string): Promise<CustomerDetail> {
    return this.#view(caller, id, SHOWN);
  }

  /** Everything kept about one person. @throws {AppError} not_found */
  everything(caller: Principal, id: string): Promise<CustomerDetail> {
    return this.#view(caller, id, null);
  }

  async #view(caller: Principal, id: string, most: number | null): Promise<CustomerDetail> {
    const [{ serials, ...found }, standing] = await Promise.all([
      this.#find(this.#db, caller, id, most),
      this.#standings.ofCustomer(this.#db, caller, id, most),
    ]);
    return {
      ...found,
      standing: standing.whole,
      // one that was redeemed between the two looks is there the next time
      serials: serials.flatMap((serial) => {
        const own = standing.serials.get(serial.id);
        return own ? [{ ...serial, standing: own }] : [];
      }),
    };
  }

  async #find(sql: Sql, caller: Principal, id: string, most: number | null): Promise<FoundCustomer> {
    const found = await findCustomer(sql, caller.userId, id, most);
    if (!found) throw notFound('Customer');
    return found;
  }

  /**
   * Blanks personal data. Serials and the ledger remain, so that figures still add up; active licenses keep working,
   * but the old address no longer opens their downloads.
   */
  async erase(caller: Principal, id: string, dryRun: boolean) {
    return this.#db.transaction(async (tx) => {
      const { email, serials, machines } = await this.#find(tx, caller, id, null);
      const released = machines.filter((machine) => machine.released_at !== null).length;
      const outcome = { serials_kept: serials.length, machines_forgotten: released, dry_run: dryRun };
      if (dryRun) return outcome;
      await this.#forgetEverywhere(tx, { developerId: caller.userId, customerId: id, email });
      await tx.query(
        `update customers set email = '', email_key = 'erased:' || id, first_name = null, last_name = null, last_login_at = null,
           erased_at = coalesce(erased_at, $3) where developer_id = $1 and id = $2`,
        [caller.userId, id, this.#clock.now()],
      );
      return outcome;
    });
  }
}
