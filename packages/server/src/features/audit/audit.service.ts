import type { Readable } from 'node:stream';
import pg from 'pg';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { deviceName } from '#platform/network/device.ts';
import { type Export, type Exports, innerBreaks } from '#platform/spool/exports.ts';
import { type Period, periodOf } from '#platform/time/days.ts';
import { type AuditAction, auditActions } from './actions.ts';
import type { AuditEntry, AuditQuery } from './audit.schemas.ts';

const KEPT = 365 * DAY;
const DELETED_AT_ONCE = 10_000;

type Row = Omit<AuditEntry, 'summary' | 'device'> & { user_agent: string | null };

interface Dependencies {
  db: Database;
  clock: Clock;
  exports: Exports;
}

/** Who did what in an account, for whoever owns it. */
export class AuditLog {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal, query: AuditQuery): Promise<{ rows: AuditEntry[]; next_cursor: string | null }> {
    const { db, clock } = this.#deps;
    const { from, to } = periodOf(query.dateRange, caller.timeZone, clock);
    const rows = await db.query<Row>(
      `select id, at, action, detail, object_id, via, token_name, ip, user_agent from audit_events
       where account_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or action = $3)
         and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at <= $5)
       order by id desc limit $6`,
      [caller.userId, decodeIdCursor(query.cursor), query.action ?? null, from, to, query.limit + 1],
    );
    const page = pageOf(rows, query.limit);
    return { ...page, rows: page.rows.map(view) };
  }

  export(caller: Principal, query: AuditQuery, signal: AbortSignal): Promise<Readable> {
    const { clock, exports } = this.#deps;
    const period = periodOf(query.dateRange, caller.timeZone, clock);
    return exports.open(caller.userId, auditExport(caller, query.action, period), signal);
  }

  /** In the transaction that deletes an account. */
  async deleteOf(sql: Sql, accountId: string): Promise<void> {
    await sql.query('delete from audit_events where account_id = $1', [accountId]);
  }

  /** Hourly: deletes what is older than a year. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    await db.query(
      `delete from audit_events where ctid = any(array(select ctid from audit_events where at < $1 limit ${DELETED_AT_ONCE}))`,
      [new Date(clock.now().getTime() - KEPT)],
    );
  }
}

function view({ user_agent, ...row }: Row): AuditEntry {
  return { ...row, summary: auditActions[row.action], device: deviceName(user_agent) };
}

function auditExport({ userId, timeZone }: Principal, action: AuditAction | undefined, { from, to }: Period): Export {
  // COPY takes no parameters
  const text = (value: string | null | undefined) => (value == null ? 'null' : pg.escapeLiteral(value));
  const moment = (value: Date | null) => `${text(value?.toISOString())}::timestamptz`;
  return {
    query: `select ${csvMoment('at', timeZone)}, action, ${innerBreaks('detail')}, object_id,
        coalesce(via, ''), ${innerBreaks('token_name')}, ip, ${innerBreaks('user_agent')}
      from audit_events where account_id = ${text(userId)}::uuid and (${text(action)}::text is null or action = ${text(action)})
        and (${moment(from)} is null or at >= ${moment(from)}) and (${moment(to)} is null or at <= ${moment(to)})
      order by id desc`,
    format: 'csv',
    header: csvLine([
      `At (${timeZone})`,
      'Action',
      'Detail',
      'Object',
      'Via',
      'Access token',
      'IP address',
      'User agent',
    ]),
    lineEnd: '\r\n',
    timeZone,
  };
}
