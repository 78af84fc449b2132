import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import { recordAudit } from '#features/audit';
import { recordWebhook } from '#features/webhooks';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { byKind, countedTogether } from '#platform/db/statements/choices.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, notFound, violatedConstraint } from '#platform/errors.ts';
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
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { isId } from '#platform/ids.ts';
import type { Random } from '#platform/random.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { endOfDay, isDay, type Period, periodOf, startOfDay } from '#platform/time/days.ts';
import { isProven } from './came.ts';
import { type CustomerChoices, type CustomerSort, chosenConditions, customerKinds } from './customer-filter.ts';
import type { CustomerEventKind } from './customers.entity.ts';
import {
  type CustomerFilter,
  type CustomerPlace,
  customerChoiceCounts,
  customersExport,
  customersPage,
  type FoundCustomer,
  findCustomer,
  listActivity,
} from './customers.queries.ts';
import type { ChangeCustomerBody, CustomerDetail } from './customers.schemas.ts';
import { type CustomerRow, ensureCustomer, type Person } from './ensure-customer.ts';
import { addressMark, type Emailed } from './proofs.ts';
import type { RowStanding, Standing } from './standing.schemas.ts';
import { type CustomersDb, type CustomersHandle, tables } from './tables.ts';

const byEmail = tables.named('by_email', (begin, developerId: string, key: string) =>
  begin
    .selectFrom('customers')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('developer_id', '=', developerId)
    .where('email_key', '=', key),
);

/** Standing of a customer, and of each serial by id. */
export interface CustomerStanding {
  whole: Standing;
  serials: ReadonlyMap<string, RowStanding>;
}

/** Port: the rule belongs to the serials. */
export interface CustomerStandings {
  ofCustomer(sql: Sql, caller: Principal, id: string, most: number | null): Promise<CustomerStanding>;
}

/** Port: emails to both addresses, queued in the caller's transaction. */
export interface CustomerEmails {
  addressChanged(
    sql: Sql,
    developerId: string,
    change: {
      customerId: string;
      name: string | null;
      language: Language | null;
      from: string;
      /** Whether somebody has come by a link that was sent to that address. */
      fromProven: boolean;
      to: string;
    },
  ): Promise<void>;
}

type Dependencies = Pick<Base, 'clock' | 'random' | 'exports' | 'eraseEverywhere' | 'limits'> & {
  db: CustomersDb;
  standings: CustomerStandings;
  emails: CustomerEmails;
};

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

/** In a cursor: the customer has nothing of what is sorted by. */
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

/** Of a person's serials, machines and activity each. */
const SHOWN = 200;

/** What {@link Customers.noteTransfer} wrote, for somebody who may not read codes. */
function withoutCode<Event extends { kind: string; detail: string | null }>(event: Event): Event {
  if (event.kind !== 'changed' || event.detail === null) return event;
  return { ...event, detail: event.detail.replace(/^.+ (?=was moved (to|here from) another customer$)/, 'A serial ') };
}

/** The people who redeemed a developer's serials. */
export class Customers {
  readonly #db: CustomersDb;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #exports: Exports;
  readonly #eraseEverywhere: Base['eraseEverywhere'];
  readonly #standings: CustomerStandings;
  readonly #emails: CustomerEmails;
  readonly #limits: RateLimits;

  constructor(deps: Dependencies) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#exports = deps.exports;
    this.#eraseEverywhere = deps.eraseEverywhere;
    this.#standings = deps.standings;
    this.#emails = deps.emails;
    this.#limits = deps.limits;
  }

  async byEmail(handle: Sql, developerId: string, email: string): Promise<CustomerRow | undefined> {
    return (await byEmail(handle, developerId, emailKey(email)))[0];
  }

  /**
   * The customer with this address, made when there is none. Names are only ever filled in, never overwritten; the
   * language is that of the last redemption page.
   */
  async ensure(handle: Sql, developerId: string, person: Person): Promise<string> {
    return (await this.#ensure(handle, developerId, person, true)).id;
  }

  #ensure(handle: Sql, developerId: string, person: Person, visits: boolean): Promise<CustomerRow> {
    return ensureCustomer(handle, { id: this.#random.id(), developerId, now: this.#clock.now(), person, visits });
  }

  /**
   * The customer who gets a serial from somebody else, who stays until the transaction ends; made when there is none. Names
   * are only filled in.
   */
  receiving(
    handle: Sql,
    developerId: string,
    { email, first_name, last_name }: { email: string; first_name: string | null; last_name: string | null },
  ): Promise<CustomerRow> {
    return this.#ensure(handle, developerId, { email, firstName: first_name, lastName: last_name }, false);
  }

  /** Both histories have it, neither with the other's address. */
  async noteTransfer(handle: Sql, developerId: string, { code, from, to }: { code: string; from: string; to: string }) {
    const both = { developer_id: developerId, kind: 'changed', happened_at: this.#clock.now() } as const;
    await tables
      .in(handle)
      .insertInto('customer_events')
      .values([
        { ...both, id: this.#random.id(), customer_id: from, detail: `${code} was moved to another customer` },
        { ...both, id: this.#random.id(), customer_id: to, detail: `${code} was moved here from another customer` },
      ])
      .execute();
  }

  /**
   * They came by a link that was sent to their address. One to an address that they no longer have, or of a customer who was erased,
   * is nobody's.
   * @returns whether it was to the address that they have.
   */
  async followed(handle: Sql, { dev, customer, to }: Emailed, visit: 'opens all' | 'opens one'): Promise<boolean> {
    const held = await tables
      .in(handle)
      .selectFrom('customers as c')
      .select(['c.email', isProven('c').as('proven')])
      .where('c.developer_id', '=', dev)
      .where('c.id', '=', customer)
      .where('c.erased_at', 'is', null)
      .executeTakeFirst();
    if (!held || addressMark(held.email) !== to) return false;
    // a page is opened often, and its visits are no logins
    if (held.proven && visit === 'opens one') return true;
    const now = this.#clock.now();
    await tables
      .in(handle)
      .updateTable('customers')
      .set((eb) => ({ proven_at: eb.fn.coalesce('proven_at', eb.val(now)), last_login_at: now }))
      .where('developer_id', '=', dev)
      .where('id', '=', customer)
      .where('email_key', '=', emailKey(held.email))
      .execute();
    return true;
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

  /** What the list can be filtered by, with counts. */
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

  /** What happened with a person, page by page. @throws {AppError} not_found */
  async activity(
    caller: Principal,
    id: string,
    query: { kind?: string | undefined; limit: number; cursor?: string | undefined },
  ) {
    await this.#find(this.#db, caller, id, 0);
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
      this.#find(this.#db, caller, id, most),
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

  async #find(handle: Sql, caller: Principal, id: string, most: number | null): Promise<FoundCustomer> {
    const found = await findCustomer(handle, caller.accountId, id, most);
    if (!found) throw notFound('Customer');
    return found;
  }

  /**
   * Changes name or address, emails both addresses, and notes the change in the customer's history.
   * @throws {AppError} not_found; domain_rule after an erasure; conflict when another customer has the address; rate_limited.
   */
  async change(caller: Principal, id: string, body: ChangeCustomerBody): Promise<CustomerDetail> {
    if (body.email !== undefined) {
      const { email } = await this.#find(this.#db, caller, id, 0);
      if (email !== '' && emailKey(email) !== emailKey(body.email))
        await takeCausedEmails(this.#limits, caller.accountId, [email, body.email]);
    }
    try {
      await this.#db.work({ tx: true }, (tx) => this.#change(tx, caller, id, body));
    } catch (error) {
      if (violatedConstraint(error) !== 'customers_developer_email_unique') throw error;
      throw new AppError('conflict', 'Another of your customers has this email address.');
    }
    return this.get(caller, id);
  }

  async #change(tx: CustomersHandle, caller: Principal, id: string, body: ChangeCustomerBody): Promise<void> {
    const { language, proven, ...before } = await this.#held(tx, caller, id);
    const after = { ...before, ...body };
    const changes = (['email', 'first_name', 'last_name'] as const)
      .filter((field) => after[field] !== before[field])
      .map((field) => `${before[field] ?? '–'} to ${after[field] ?? '–'}`);
    if (changes.length === 0) return;
    await recordAudit(tx, caller.accountId, { action: 'customer_changed', at: this.#clock.now(), objectId: id });
    const moved = emailKey(after.email) !== emailKey(before.email);
    await tx
      .updateTable('customers')
      .set({ email: after.email, email_key: emailKey(after.email) })
      .set({ first_name: after.first_name, last_name: after.last_name })
      // whoever reads the new address has not come yet
      .$if(moved, (all) => all.set({ last_login_at: null, proven_at: null }))
      .where('developer_id', '=', caller.accountId)
      .where('id', '=', id)
      .execute();
    await this.#record(tx, caller, {
      id: this.#random.id(),
      customerId: id,
      kind: 'changed',
      detail: changes.join(', '),
      formerKey: moved ? emailKey(before.email) : null,
    });
    if (!moved) return;
    const name = [after.first_name, after.last_name].filter(Boolean).join(' ') || null;
    const [from, to] = [before.email, after.email];
    const change = { customerId: id, name, language, from, fromProven: proven, to };
    await this.#emails.addressChanged(tx, caller.accountId, change);
  }

  /** Adds a note that only the developer reads. @throws {AppError} not_found; domain_rule after an erasure. */
  async note(caller: Principal, id: string, noteId: string, text: string) {
    return this.#db.work({ tx: true }, async (tx) => {
      await this.#held(tx, caller, id);
      const at = await this.#record(tx, caller, {
        id: noteId,
        customerId: id,
        kind: 'noted',
        detail: text,
        formerKey: null,
      });
      return { id: noteId, text, created_at: at };
    });
  }

  /** The customer, who stays as they are until the transaction ends. */
  async #held(tx: CustomersHandle, caller: Principal, id: string) {
    const found = await tx
      .selectFrom('customers as c')
      .select(['c.id', 'c.email', 'c.first_name', 'c.last_name', 'c.language', 'c.erased_at'])
      .select(isProven('c').as('proven'))
      .where('c.developer_id', '=', caller.accountId)
      .where('c.id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!found) throw notFound('Customer');
    const { erased_at, ...held } = found;
    if (erased_at) throw new AppError('domain_rule', 'The data of this customer was erased.');
    return held;
  }

  async #record(
    tx: CustomersHandle,
    caller: Principal,
    event: { id: string; customerId: string; kind: CustomerEventKind; detail: string; formerKey: string | null },
  ): Promise<Date> {
    const { id, customerId, kind, detail, formerKey } = event;
    const { happened_at } = await tx
      .insertInto('customer_events')
      .values({
        developer_id: caller.accountId,
        id,
        customer_id: customerId,
        kind,
        detail,
        former_key: formerKey,
        happened_at: this.#clock.now(),
      })
      // a repeat of the same request has the same id
      .onConflict((on) =>
        on.columns(['developer_id', 'id']).doUpdateSet((eb) => ({ kind: eb.ref('customer_events.kind') })),
      )
      .returning('happened_at')
      .executeTakeFirstOrThrow();
    return happened_at;
  }

  /**
   * Blanks personal data. Serials and the ledger remain, so that figures still add up; active licenses keep working,
   * but the old address no longer opens their downloads.
   */
  async erase(caller: Principal, id: string, dryRun: boolean) {
    return this.#db.work({ tx: true }, async (tx) => {
      // who changes the customer or adds a note at this moment was here first, and is seen below, or finds the data erased
      if (!dryRun)
        await tx
          .selectFrom('customers')
          .select('id')
          .where('developer_id', '=', caller.accountId)
          .where('id', '=', id)
          .forNoKeyUpdate()
          .execute();
      const { email, erased_at, serials, machines } = await this.#find(tx, caller, id, null);
      const released = machines.filter((machine) => machine.released_at !== null).length;
      const outcome = { serials_kept: serials.length, machines_forgotten: released, dry_run: dryRun };
      if (dryRun) return outcome;
      // addresses that somebody else has meanwhile are that person's
      const { rows: former } = await sql<{ key: string }>`
        with gone as (
          delete from customer_events where developer_id = ${caller.accountId} and customer_id = ${id} returning former_key)
        select distinct former_key as key from gone where former_key is not null and not exists (
          select 1 from customers c where c.developer_id = ${caller.accountId} and c.email_key = former_key and c.id <> ${id})`.execute(
        tx,
      );
      const emails = [email, ...former.map(({ key }) => key)].filter((each) => each !== '');
      await this.#eraseEverywhere(tx, { developerId: caller.accountId, customerId: id, emails });
      const now = this.#clock.now();
      await tx
        .updateTable('customers')
        .set({ email: '', email_key: sql<string>`'erased:' || id`, first_name: null, last_name: null, language: null })
        .set({ last_login_at: null, proven_at: null, no_updates_at: null })
        .set((eb) => ({ erased_at: eb.fn.coalesce('erased_at', eb.val(now)) }))
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .execute();
      // a second time, for machines released since, erases nothing that a receiver keeps
      if (erased_at === null) {
        const data = { customer_id: id };
        await recordWebhook(tx, caller.accountId, { type: 'customer.erased', at: this.#clock.now(), data });
        await recordAudit(tx, caller.accountId, { action: 'customer_erased', at: this.#clock.now(), objectId: id });
      }
      return outcome;
    });
  }
}
