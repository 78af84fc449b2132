import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import { csvExport, csvText } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import type { Sql } from '#platform/db/database.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { deviceName } from '#platform/network/device.ts';
import type { Export, Exports } from '#platform/spool/exports.ts';
import { type Period, periodOf } from '#platform/time/days.ts';
import { type AuditAction, auditActions } from './actions.ts';
import type { AuditEntry, AuditQuery } from './audit.schemas.ts';
import { type AuditDb, tables } from './tables.ts';

const KEPT = 365 * DAY;
const DELETED_AT_ONCE = 10_000;

type Row = Omit<AuditEntry, 'summary' | 'device'> & { user_agent: string | null };

interface Dependencies {
  db: AuditDb;
  clock: Clock;
  exports: Exports;
}

/** The audit log: who did what in an account, for its owner. */
export class AuditLog {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal, query: AuditQuery): Promise<{ rows: AuditEntry[]; next_cursor: string | null }> {
    const { db, clock } = this.#deps;
    const period = periodOf(query.dateRange, caller.timeZone, clock);
    const after = decodeIdCursor(query.cursor);
    const rows = await db
      .selectFrom('audit_events')
      .select(['id', 'at', 'action', 'detail', 'object_id', 'via', 'token_name', 'ip', 'user_agent'])
      .where(matching(caller.accountId, query.action, period))
      .$if(after !== null, (all) => all.where('id', '<', after as string))
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute();
    const page = pageOf(rows, query.limit);
    return { ...page, rows: page.rows.map(view) };
  }

  export(caller: Principal, query: AuditQuery, signal: AbortSignal): Promise<Readable> {
    const { clock, exports } = this.#deps;
    const period = periodOf(query.dateRange, caller.timeZone, clock);
    return exports.open(caller.accountId, auditExport(caller, query.action, period), signal);
  }

  /** Deletes an account's audit log, in the transaction that deletes the account. */
  async deleteOf(tx: Sql, accountId: string): Promise<void> {
    await tables.in(tx).deleteFrom('audit_events').where('account_id', '=', accountId).execute();
  }

  /** Hourly: deletes what is older than a year. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const before = new Date(clock.now().getTime() - KEPT);
    await sql`delete from audit_events where ctid = any(array(
      select ctid from audit_events where at < ${before} limit ${sql.lit(DELETED_AT_ONCE)}))`.execute(db);
  }
}

/** Conditions for the events that an account asks for. */
function matching(accountId: string, action: AuditAction | undefined, { from, to }: Period) {
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(action ? [sql`action = ${action}`] : []),
    ...(from ? [sql`at >= ${from}`] : []),
    ...(to ? [sql`at <= ${to}`] : []),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function view({ user_agent, ...row }: Row): AuditEntry {
  return { ...row, summary: auditActions[row.action], device: deviceName(user_agent) };
}

function auditExport({ accountId, timeZone }: Principal, action: AuditAction | undefined, period: Period): Export {
  const cells = {
    [`At (${timeZone})`]: csvMoment('at', timeZone),
    Action: 'action',
    Detail: csvText('detail'),
    Object: 'object_id',
    Via: "coalesce(via, '')",
    'Access token': csvText('token_name'),
    'IP address': 'ip',
    'User agent': csvText('user_agent'),
  };
  const select = (row: RawBuilder<unknown>) =>
    sql`select ${row} from audit_events where ${matching(accountId, action, period)} order by id desc`;
  return csvExport(tables, cells, select, { timeZone });
}
