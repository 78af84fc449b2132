import { lockAccount } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import { type Clock, HOUR } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { mayHavePersonal } from '../endpoints/endpoints.service.ts';
import { refuseStrange } from '../events/audience.ts';
import { dataOf, type StoredEvent, withoutCode } from '../events/event-body.ts';
import type { EventsQuery } from '../events/events.schemas.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
}

type Row = StoredEvent & { id: string; xid: number };
/** A place in the feed. */
type Place = Pick<Row, 'id' | 'xid'>;

const MOST_LISTENERS = 5;
const LISTENS = HOUR;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** No transaction that still runs can write an event before these. */
const SETTLED = 'e.xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/**
 * The events as a list, for those who were away for long, or trust polling more. A cursor never passes an event that commits
 * late: events are in the order of the transactions that wrote them, and shown once no earlier one can still come.
 */
export class Feed {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} invalid_request for an `after` that is not kept any more. */
  async read(caller: Principal, query: EventsQuery) {
    mayHavePersonal(caller, query.include_personal);
    const { db } = this.#deps;
    const after = query.after === undefined ? null : await this.#find(caller.userId, query.after);
    const filtered = query.type !== undefined || query.object_id !== undefined;
    // before the page is read, so that whatever settles in between is on it, or comes after the cursor
    const newest = filtered ? await this.#newest(caller.userId) : null;
    const rows = await db.query<Row>(
      `select e.id, e.xid, e.type, e.occurred_at, e.data, e.personal, e.is_test from webhook_events e
       where e.developer_id = $1 and ${listOf('e', 'occurred_at')} and ${SETTLED} and (e.xid, e.id) > ($2, $3)
         and ($4::text is null or e.type = $4) and ($5::uuid is null or $5 = any(e.object_ids))
       order by e.xid, e.id limit $6`,
      [
        caller.userId,
        after?.xid ?? 0,
        after?.id ?? BEFORE_ALL,
        query.type ?? null,
        query.object_id ?? null,
        query.limit + 1,
      ],
    );
    const seen = (row: Row) => (mayRead(caller, 'codes') ? row : withoutCode(row));
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
    refuseStrange(caller, events);
    const { db, clock } = this.#deps;
    const now = clock.now();
    const expires_at = new Date(now.getTime() + LISTENS);
    // before it listens: what comes in between is shown, not skipped
    const newest = await this.#newest(caller.userId);
    await db.rowTransaction(async (sql) => {
      // one at a time, or two at once could both be the last one
      await lockAccount(sql, caller);
      await sql.query('delete from webhook_endpoints where developer_id = $1 and listens_until <= $2', [
        caller.userId,
        now,
      ]);
      const [count] = await sql.query<{ n: number }>(
        'select count(*) as n from webhook_endpoints where developer_id = $1 and listens_until is not null and id <> $2',
        [caller.userId, id],
      );
      if ((count?.n ?? 0) >= MOST_LISTENERS)
        throw new AppError('domain_rule', `${MOST_LISTENERS} terminals are listening already.`);
      await sql.query(
        `insert into webhook_endpoints (id, developer_id, url, description, events, signature, include_personal, secret, enabled,
           listens_until, created_at) values ($1, $2, '', '', $3, 'v1', false, '', true, $4, $5) on conflict (id, developer_id) do nothing`,
        [id, caller.userId, [...new Set(events)], expires_at, now],
      );
    });
    return { id, expires_at, after: newest?.id ?? null };
  }

  /** @throws {AppError} not_found once it has expired. */
  async renew(accountId: string, id: string) {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const expires_at = new Date(now.getTime() + LISTENS);
    const renewed = await db.query(
      'update webhook_endpoints set listens_until = $3 where developer_id = $1 and id = $2 and listens_until > $4 returning 1',
      [accountId, id, expires_at, now],
    );
    if (renewed.length === 0) throw notFound('Listener');
    return { id, expires_at, after: (await this.#newest(accountId))?.id ?? null };
  }

  /** @throws {AppError} not_found */
  async stopListening(accountId: string, id: string): Promise<void> {
    const gone = await this.#deps.db.query(
      'delete from webhook_endpoints where developer_id = $1 and id = $2 and listens_until is not null returning 1',
      [accountId, id],
    );
    if (gone.length === 0) throw notFound('Listener');
  }

  async #newest(accountId: string): Promise<Place | null> {
    const [row] = await this.#deps.db.query<Place>(
      `select e.id, e.xid from webhook_events e where e.developer_id = $1 and ${listOf('e', 'occurred_at')} and ${SETTLED}
       order by e.xid desc, e.id desc limit 1`,
      [accountId],
    );
    return row ?? null;
  }

  async #find(accountId: string, id: string): Promise<Place> {
    const [row] = await this.#deps.db.query<Place>(
      'select id, xid from webhook_events where developer_id = $1 and id = $2',
      [accountId, id],
    );
    if (!row)
      throw invalidField('after', 'There is no such event: it may be older than 30 days. Start again without it.');
    return row;
  }
}

function later(one: Place | null, other: Place | null): Place | null {
  if (!one || !other) return one ?? other;
  return other.xid > one.xid || (other.xid === one.xid && other.id > one.id) ? other : one;
}

/**
 * Housekeeping: a restored database counts its transactions anew. Events of the old one, which can have the numbers of
 * transactions to come, become the oldest.
 */
export async function settleRestored(sql: Sql): Promise<void> {
  await sql.query(
    // one step of the feed's index for each account, because an index of its own would cost every event
    `/* across tenants: housekeeping */
     with recursive account as (
       (select e.developer_id from webhook_events e where ${listOf('e', 'occurred_at')} order by e.developer_id limit 1)
       union all
       select (select e.developer_id from webhook_events e where e.developer_id > a.developer_id and ${listOf('e', 'occurred_at')}
         order by e.developer_id limit 1)
       from account a where a.developer_id is not null
     )
     update webhook_events e set xid = 1 from account a
     where e.developer_id = a.developer_id and ${listOf('e', 'occurred_at')}
       and e.xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
  );
}
