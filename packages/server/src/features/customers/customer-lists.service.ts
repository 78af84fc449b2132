import type { Readable } from 'node:stream';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import type { Base } from '#platform/feature.ts';
import {
  decodeCursor,
  decodeHappenedCursor,
  isMoment,
  isText,
  pageOf,
  placeOf,
  uncounted,
} from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { endOfDay, isDay, type Period, periodOf, startOfDay } from '#platform/time/days.ts';
import { type CustomerChoices, type CustomerSort, chosenConditions, customerKinds } from './customer-filter.ts';
import {
  type CustomerFilter,
  type CustomerPlace,
  customerChoiceCounts,
  customersExport,
  customersPage,
  findCustomer,
  listActivity,
} from './customers.queries.ts';
import type { CustomerDetail } from './customers.schemas.ts';
import type { RowStanding, Standing } from './standing.schemas.ts';
import type { CustomersDb } from './tables.ts';

/** Standing of a customer, and of each serial by id. */
export interface CustomerStanding {
  whole: Standing;
  serials: ReadonlyMap<string, RowStanding>;
}

/** Port: the rule belongs to the serials. */
export interface CustomerStandings {
  ofCustomer(sql: Sql, caller: Principal, id: string, most: number | null): Promise<CustomerStanding>;
}

type Dependencies = Pick<Base, 'clock' | 'exports'> & { db: CustomersDb; standings: CustomerStandings };

interface ListQuery extends CustomerChoices {
  search?: string | undefined;
  dateRange: string;
  redeemed: string;
}

interface PageQuery extends ListQuery {
  sort: CustomerSort;
  page: number;
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

/** Marks in a cursor that the customer has no value in the sorted column. */
const NONE = '-';

/** A cursor leads on in the order that it came from. @throws {AppError} invalid_request */
function customerAt({ cursor, sort }: PageQuery): CustomerPlace | null {
  const isKey = (marked: string) =>
    marked === NONE || (marked.startsWith('=') && (sort.endsWith('last_login') ? isMoment : isText)(marked.slice(1)));
  const parts = decodeCursor(cursor, [(from) => from === sort, isKey, isMoment, isId]);
  if (!parts) return null;
  const [, marked, at, id] = parts;
  return { key: marked === NONE ? null : marked.slice(1), at: new Date(at), id };
}

/** The most serials, machines and activity of a person that a page has. */
const SHOWN = 200;

/** Removes the code that `Customers.noteTransfer` wrote, for callers that may not read codes. */
function withoutCode<Event extends { kind: string; detail: string | null }>(event: Event): Event {
  if (event.kind !== 'changed' || event.detail === null) return event;
  return { ...event, detail: event.detail.replace(/^.+ (?=was moved (to|here from) another customer$)/, 'A serial ') };
}

/** Reads the people who redeemed a developer's serials. */
export class CustomerLists {
  readonly #db: CustomersDb;
  readonly #clock: Clock;
  readonly #exports: Exports;
  readonly #standings: CustomerStandings;

  constructor(deps: Dependencies) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#exports = deps.exports;
    this.#standings = deps.standings;
  }

  async page(caller: Principal, query: PageQuery) {
    const { sort, page, limit, count } = query;
    const after = customerAt(query);
    const offset = after ? 0 : (page - 1) * limit;
    const wanted = { sort, after, offset, limit: limit + 1, count };
    const { found, counted } = await customersPage(this.#db, this.#filter(caller, query), wanted);
    const shown = pageOf(found, limit, ({ signup_date, last_login, sort_key, id }) => {
      const key = sort.endsWith('last_login') ? (last_login?.toISOString() ?? null) : sort_key;
      return [sort, key === null ? NONE : `=${key}`, signup_date.toISOString(), id];
    });
    return {
      customers: shown.rows.map(({ sort_key: _, ...row }) => row),
      next_cursor: shown.next_cursor,
      ...(counted ?? uncounted(shown)),
      page,
      page_size: limit,
      time_zone: caller.timeZone,
    };
  }

  async csv(caller: Principal, query: ListQuery, signal: AbortSignal): Promise<Readable> {
    const { timeZone } = caller;
    const order = await customersExport(this.#db, this.#filter(caller, query), {
      timeZone,
      codes: mayRead(caller, 'codes'),
    });
    await recordAudit(this.#db, caller.accountId, { action: 'customers_exported', at: this.#clock.now() });
    return this.#exports.open(caller.accountId, order, signal);
  }

  /** The choices of the list's filters, with counts. */
  async choices(caller: Principal, query: ListQuery) {
    const found = [];
    for (const { kinds, query: each } of countedTogether(customerKinds, query))
      found.push(...(await customerChoiceCounts(this.#db, kinds, this.#filter(caller, each))));
    return byKind(customerKinds, found);
  }

  #filter(caller: Principal, query: ListQuery): CustomerFilter {
    const search = query.search || undefined;
    const { timeZone } = caller;
    const searchDay: Period | null =
      search && isDay(search) ? { from: startOfDay(search, timeZone), to: endOfDay(search, timeZone) } : null;
    const period = periodOf(query.dateRange, timeZone, this.#clock);
    const chosen = chosenConditions(caller.accountId, query, periodOf(query.redeemed, timeZone, this.#clock));
    return { developerId: caller.accountId, search, searchDay, period, chosen };
  }

  /** A person with what is newest. @throws {AppError} not_found */
  get(caller: Principal, id: string): Promise<CustomerDetail> {
    return this.#view(caller, id, SHOWN);
  }

  /** Everything kept about one person. @throws {AppError} not_found */
  async everything(caller: Principal, id: string): Promise<CustomerDetail> {
    const found = await this.#view(caller, id, null);
    const audited = { action: 'customer_exported', at: this.#clock.now(), objectId: id } as const;
    await recordAudit(this.#db, caller.accountId, audited);
    return found;
  }

  /** A customer's history, page by page. @throws {AppError} not_found */
  async activity(
    caller: Principal,
    id: string,
    query: { kind?: string | undefined; limit: number; cursor?: string | undefined },
  ) {
    await findCustomer(this.#db, caller.accountId, id, 0);
    const after = decodeHappenedCursor(query.cursor);
    const about = { developerId: caller.accountId, id, kind: query.kind ?? null };
    const { rows, next_cursor } = pageOf(
      await listActivity(this.#db, about, after, query.limit + 1),
      query.limit,
      placeOf,
    );
    return { rows: mayRead(caller, 'codes') ? rows : rows.map(withoutCode), next_cursor };
  }

  async #view(caller: Principal, id: string, most: number | null): Promise<CustomerDetail> {
    const [{ serials, ...found }, standing] = await Promise.all([
      findCustomer(this.#db, caller.accountId, id, most),
      this.#standings.ofCustomer(this.#db, caller, id, most),
    ]);
    return {
      ...found,
      activity: mayRead(caller, 'codes') ? found.activity : found.activity.map(withoutCode),
      standing: standing.whole,
      // one that was redeemed between the two looks is there the next time
      serials: serials.flatMap((serial) => {
        const own = standing.serials.get(serial.id);
        return own ? [{ ...serial, standing: own }] : [];
      }),
    };
  }
}
