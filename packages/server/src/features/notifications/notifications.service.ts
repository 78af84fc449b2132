import { sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { NotificationKind } from './notification-of.ts';
import type { NotificationsQuery } from './notifications.schemas.ts';
import { type NotificationsDb, tables } from './tables.ts';

const KEPT = 180 * DAY;
const DELETED_AT_ONCE = 10_000;
const MOST_UNREAD = 100;

/** How much waits for an account until it is done. */
type Pending = (caller: Principal) => Promise<number>;

/** The bell's notices, page by page. */
export class Notifications {
  readonly #db: NotificationsDb;
  readonly #clock: Clock;
  readonly #pending: Pending;

  constructor(deps: { db: NotificationsDb; clock: Clock; pending: Pending }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#pending = deps.pending;
  }

  async list(caller: Principal, query: NotificationsQuery) {
    const after = decodeIdCursor(query.cursor);
    const rows = await this.#all(caller)
      .select(['n.id', 'n.at', 'n.kind', 'n.title', 'n.detail', 'n.object_id'])
      .select(sql<boolean>`not ${isUnread(caller)}`.as('read'))
      .$if(after !== null, (all) => all.where('n.id', '<', after as string))
      .$if(query.kind !== undefined, (all) => all.where('n.kind', '=', query.kind as NotificationKind))
      .$if(query.unread, (all) => all.where(isUnread(caller)))
      .orderBy('n.id', 'desc')
      .limit(query.limit + 1)
      .execute();
    const unread = this.#all(caller).select('n.id').where(isUnread(caller)).limit(MOST_UNREAD);
    const counted = await this.#db
      .selectFrom(unread.as('unread'))
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return { ...pageOf(rows, query.limit), pending: await this.#pending(caller), unread: counted.n };
  }

  #all({ accountId }: Principal) {
    return this.#db.selectFrom('notices as n').where('n.account_id', '=', accountId);
  }

  /**
   * Marks a notice and all older ones as read; what came since stays unread, and nothing becomes unread again.
   * @throws {AppError} not_found, also for somebody else's notice.
   */
  async read(caller: Principal, until: string): Promise<void> {
    const { rows } = await sql`
      insert into notice_marks as m (account_id, read_until)
      select account_id, id from notices where account_id = ${caller.accountId} and id = ${until}
      on conflict (account_id) do update set read_until = greatest(m.read_until, excluded.read_until)
      returning 1`.execute(this.#db);
    if (rows.length === 0) throw notFound('Notice');
  }

  /** Deletes an account's notifications, in the transaction that deletes the account. */
  async deleteOf(handle: Sql, accountId: string): Promise<void> {
    const tx = tables.in(handle);
    await tx.deleteFrom('notices').where('account_id', '=', accountId).execute();
    await tx.deleteFrom('notice_marks').where('account_id', '=', accountId).execute();
  }

  /** Hourly: deletes what is older than half a year. */
  async expire(): Promise<void> {
    const before = new Date(this.#clock.now().getTime() - KEPT);
    await sql`delete from notices where ctid = any(array(
      select ctid from notices where at < ${before} limit ${sql.lit(DELETED_AT_ONCE)}))`.execute(this.#db);
  }
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Whether a notification `n` is newer than those that its account has read. */
const isUnread = ({ accountId }: Principal) => sql<boolean>`n.id > coalesce(
  (select m.read_until from notice_marks m where m.account_id = ${accountId}), ${BEFORE_ALL}::uuid)`;
