import { sql } from 'kysely';
import { lockAccount } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import { type Clock, HOUR } from '#platform/clock.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { mayHavePersonal } from '../endpoints/endpoints.service.ts';
import { refuseUnknownEvents } from '../events/audience.ts';
import { dataOf, type StoredEvent, withoutCode } from '../events/event-body.ts';
import type { EventsQuery } from '../events/events.schemas.ts';
import { nextNumber, settledBefore } from '../events/settled.ts';
import type { WebhooksDb } from '../tables.ts';

interface Dependencies {
  db: WebhooksDb;
  clock: Clock;
}

/** A place in the feed. */
interface Place {
  id: string;
  xid: number;
}

const MOST_LISTENERS = 5;
const LISTENS = HOUR;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * The events as a list, for those who were away for long, or trust polling more. A cursor never passes an event that commits
 * late: events are in the order of the transactions that wrote them, and shown once no earlier one can still come.
 */
export class Feed {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} invalid_request for an `after` that is no longer kept. */
  async read(caller: Principal, query: EventsQuery) {
    mayHavePersonal(caller, query.include_personal);
    const after = query.after === undefined ? null : await this.#find(caller.accountId, query.after);
    const filtered = query.type !== undefined || query.object_id !== undefined;
    // before the rows are read, so that whatever settles in between comes after the cursor
    const settled = await settledBefore(this.#deps.db);
    const newest = filtered ? await this.#newest(caller.accountId, settled) : null;
    const rows = await this.#settled(caller.accountId, settled)
      .select(['id', 'xid', 'type', 'occurred_at', 'data', 'personal', 'is_test'])
      .where(sql<boolean>`(xid, id) > (${after?.xid ?? 0}, ${after?.id ?? BEFORE_ALL})`)
      .$if(query.type !== undefined, (all) => all.where('type', '=', query.type as string))
      .$if(query.object_id !== undefined, (all) => all.where(sql<boolean>`${query.object_id}::uuid = any(object_ids)`))
      .orderBy('xid')
      .orderBy('id')
      .limit(query.limit + 1)
      .execute();
    const seen = (row: StoredEvent) => (mayRead(caller, 'codes') ? row : withoutCode(row));
    const page = rows.slice(0, query.limit);
    const last = page.at(-1) ?? after;
    const hasMore = rows.length > query.limit;
    // all until the newest was looked at, also what did not fit: the next poll need not read it again
    const reached = hasMore ? last : later(last, newest);
    return {
      events: page.map((row) => ({
        id: row.id,
        type: row.type,
        timestamp: row.occurred_at,
        test: row.is_test,
        data: JSON.parse(dataOf(seen(row), query.include_personal)) as Record<string, unknown>,
      })),
      next_after: reached?.id ?? null,
      has_more: hasMore,
    };
  }

  /** Records events for a terminal that reads them here, although nothing is sent to it. */
  async listen(caller: Principal, id: string, events: readonly string[]) {
    refuseUnknownEvents(caller, events);
    const { db, clock } = this.#deps;
    const now = clock.now();
    const expires_at = new Date(now.getTime() + LISTENS);
    // before it listens: what comes in between is shown, not skipped
    const newest = await this.#newest(caller.accountId, await settledBefore(db));
    await db.work({ tx: true }, async (tx) => {
      // one at a time, or two at once could both be the last one
      await lockAccount(tx, caller);
      await tx
        .deleteFrom('webhook_endpoints')
        .where('developer_id', '=', caller.accountId)
        .where('listens_until', '<=', now)
        .execute();
      const { n } = await tx
        .selectFrom('webhook_endpoints')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('developer_id', '=', caller.accountId)
        .where('listens_until', 'is not', null)
        .where('id', '<>', id)
        .executeTakeFirstOrThrow();
      if (n >= MOST_LISTENERS) throw new AppError('domain_rule', `${MOST_LISTENERS} terminals are listening already.`);
      await tx
        .insertInto('webhook_endpoints')
        .values({
          id,
          developer_id: caller.accountId,
          url: '',
          description: '',
          events: [...new Set(events)],
          signature: 'v1',
          include_personal: false,
          secret: Buffer.alloc(0),
          enabled: true,
          listens_until: expires_at,
          created_at: now,
        })
        .onConflict((on) => on.columns(['id', 'developer_id']).doNothing())
        .execute();
    });
    return { id, expires_at, after: newest?.id ?? null };
  }

  /** @throws {AppError} not_found once it has expired. */
  async renew(accountId: string, id: string) {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const expires_at = new Date(now.getTime() + LISTENS);
    const { numUpdatedRows: renewed } = await db
      .updateTable('webhook_endpoints')
      .set({ listens_until: expires_at })
      .where('developer_id', '=', accountId)
      .where('id', '=', id)
      .where('listens_until', '>', now)
      .executeTakeFirst();
    if (renewed === 0n) throw notFound('Listener');
    return { id, expires_at, after: (await this.#newest(accountId, await settledBefore(db)))?.id ?? null };
  }

  /** @throws {AppError} not_found */
  async stopListening(accountId: string, id: string): Promise<void> {
    const { numDeletedRows: gone } = await this.#deps.db
      .deleteFrom('webhook_endpoints')
      .where('developer_id', '=', accountId)
      .where('id', '=', id)
      .where('listens_until', 'is not', null)
      .executeTakeFirst();
    if (gone === 0n) throw notFound('Listener');
  }

  /** The events of an account that the feed shows. @param settled as {@link settledBefore} has read it */
  #settled(accountId: string, settled: number) {
    return this.#deps.db
      .selectFrom('webhook_events')
      .where('developer_id', '=', accountId)
      .where(inList('occurred_at'))
      .where('xid', '<', settled);
  }

  async #newest(accountId: string, settled: number): Promise<Place | null> {
    const row = await this.#settled(accountId, settled)
      .select(['id', 'xid'])
      .orderBy('xid', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }

  async #find(accountId: string, id: string): Promise<Place> {
    const row = await this.#deps.db
      .selectFrom('webhook_events')
      .select(['id', 'xid'])
      .where('developer_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row)
      throw invalidField('after', 'There is no such event: it may be older than 30 days. Start again without it.');
    return row;
  }
}

function later(one: Place | null, other: Place | null): Place | null {
  if (!one || !other) return one ?? other;
  return other.xid > one.xid || (other.xid === one.xid && other.id > one.id) ? other : one;
}

/** So many accounts are looked at together. */
const ACCOUNTS = 1000;
/** So many events are moved at once. */
const EVENTS = 5000;

/**
 * Housekeeping: a restored database counts its transactions anew. Events of the old one, which can have the numbers of
 * transactions to come, become the oldest. One step of the feed's index for each account, because an index of its own would cost
 * every event.
 */
export async function settleRestored(db: WebhooksDb): Promise<void> {
  for (let after = BEFORE_ALL; ; ) {
    const accounts = await db
      .selectFrom('users')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(ACCOUNTS)
      .execute();
    const last = accounts.at(-1);
    if (!last) return;
    const ids = accounts.map(({ id }) => id);
    while ((await settleSome(db, ids)) === EVENTS);
    after = last.id;
  }
}

/** @returns how many events were looked at: up to {@link EVENTS}. */
async function settleSome(db: WebhooksDb, accountIds: string[]): Promise<number> {
  const highest = await nextNumber(db);
  const found = await db
    .selectFrom('webhook_events')
    .select(['developer_id', 'id', 'xid'])
    .where('developer_id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where(inList('occurred_at'))
    .where('xid', '>=', highest)
    .limit(EVENTS)
    .execute();
  if (found.length === 0) return 0;
  // read once more, after they were seen: transactions that wrote them here have a lower number by now
  const settled = await nextNumber(db);
  for (const [developerId, events] of Map.groupBy(
    found.filter(({ xid }) => xid >= settled),
    (each) => each.developer_id,
  ))
    await db
      .updateTable('webhook_events')
      .set({ xid: 1 })
      .where('developer_id', '=', developerId)
      .where('id', '=', sql<string>`any(${events.map(({ id }) => id)}::uuid[])`)
      .execute();
  return found.length;
}
