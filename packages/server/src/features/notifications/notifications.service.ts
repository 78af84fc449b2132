import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { NotificationsQuery, NotificationView } from './notifications.schemas.ts';

const KEPT = 180 * DAY;
const DELETED_AT_ONCE = 10_000;
const MOST_UNREAD = 100;

/** How much waits for an account until it is done. */
type Pending = (caller: Principal) => Promise<number>;

/** The bell's notices, page by page. */
export class Notifications {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #pending: Pending;

  constructor(deps: { db: Database; clock: Clock; pending: Pending }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#pending = deps.pending;
  }

  async list(caller: Principal, query: NotificationsQuery) {
    const rows = await this.#db.query<NotificationView>(
      `select n.id, n.at, n.kind, n.title, n.detail, n.object_id, coalesce(n.id <= m.read_until, false) as read
       from notices n left join notice_marks m on m.account_id = n.account_id
       where n.account_id = $1 and ($2::uuid is null or n.id < $2) and ($3::text is null or n.kind = $3)
         and (not $4 or m.read_until is null or n.id > m.read_until)
       order by n.id desc limit $5`,
      [caller.userId, decodeIdCursor(query.cursor), query.kind ?? null, query.unread, query.limit + 1],
    );
    const [counted] = await this.#db.query<{ n: number }>(
      `select count(*)::int as n from (select 1 from notices n left join notice_marks m on m.account_id = n.account_id
         where n.account_id = $1 and (m.read_until is null or n.id > m.read_until) limit ${MOST_UNREAD}) unread`,
      [caller.userId],
    );
    return { ...pageOf(rows, query.limit), pending: await this.#pending(caller), unread: counted?.n ?? 0 };
  }

  /**
   * Marks a notice and all older ones as read; what came since stays unread, and nothing becomes unread again.
   * @throws {AppError} not_found, also for somebody else's notice.
   */
  async read(caller: Principal, until: string): Promise<void> {
    const rows = await this.#db.query(
      `insert into notice_marks as m (account_id, read_until)
       select account_id, id from notices where account_id = $1 and id = $2
       on conflict (account_id) do update set read_until = greatest(m.read_until, excluded.read_until) returning 1`,
      [caller.userId, until],
    );
    if (rows.length === 0) throw notFound('Notice');
  }

  /** In the transaction that deletes an account. */
  async deleteOf(sql: Sql, accountId: string): Promise<void> {
    await sql.query('delete from notices where account_id = $1', [accountId]);
    await sql.query('delete from notice_marks where account_id = $1', [accountId]);
  }

  /** Hourly: deletes what is older than half a year. */
  async expire(): Promise<void> {
    await this.#db.query(
      `delete from notices where ctid = any(array(select ctid from notices where at < $1 limit ${DELETED_AT_ONCE}))`,
      [new Date(this.#clock.now().getTime() - KEPT)],
    );
  }
}
