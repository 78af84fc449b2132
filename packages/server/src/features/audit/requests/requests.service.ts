import type { Readable } from 'node:stream';
import pg from 'pg';
import type { Principal } from '#platform/access/access.ts';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, DAY, MINUTE, SECOND } from '#platform/clock.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import type { Answered } from '#platform/feature.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { type Export, type Exports, innerBreaks } from '#platform/spool/exports.ts';
import type { ApiRequestsPage, ApiRequestsQuery, ApiRequestView } from './requests.schemas.ts';

const KEPT = 7 * DAY;
/** Of each account; the hourly housekeeping deletes what is more. */
const MOST_KEPT = 10_000;
/** Lines a minute for each account and process; the last of them counts what came after it. */
const LINES = { access_token: 120, plugin_key: 10 } as const;
const DELETED_AT_ONCE = 10_000;

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  log: Logger;
  exports: Exports;
}

interface Line extends Answered {
  id: string;
  at: Date;
  omitted: number;
  /** Whether it is in the database, so that only its count of omitted ones is written. */
  written: boolean;
}

/** Of one account, with one kind of credential, in this minute. */
interface Minute {
  left: number;
  last: Line;
}

/** What was requested with an account's credentials. No answer waits for it: it is written once a second. */
export class ApiRequests {
  readonly #deps: Dependencies;
  readonly #late: WriteBehind<Line>;
  #minute = 0;
  #lines = new Map<string, Minute>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#late = new WriteBehind(
      SECOND,
      (lines) => this.#write([...lines.values()]),
      (error) => deps.log.warn({ err: error }, 'requests could not be recorded'),
    );
  }

  /** After an answer. Its cost in memory and in rows is bounded by {@link LINES}, however many there are. */
  note(answered: Answered): void {
    const at = this.#deps.clock.now();
    const minute = Math.floor(at.getTime() / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#lines = new Map();
    }
    const { kind, userId } = answered.credential;
    // what plugins are refused has lines of its own, however much they are not
    const key = `${kind} ${kind === 'plugin_key' && answered.status >= 400} ${userId}`;
    const known = this.#lines.get(key);
    if (known && known.left === 0) {
      known.last.omitted += 1;
      this.#late.note(known.last.id, known.last);
      return;
    }
    const line: Line = { ...answered, id: this.#deps.random.id(), at, omitted: 0, written: false };
    this.#lines.set(key, { left: (known?.left ?? LINES[kind]) - 1, last: line });
    this.#late.note(line.id, line);
  }

  /** @returns newest first, and on the first page what the log can be filtered by. */
  async list(caller: Principal, query: ApiRequestsQuery): Promise<ApiRequestsPage> {
    const { db } = this.#deps;
    const [low, high] = statuses(query.status);
    const rows = await db.query<ApiRequestView>(
      `select id, at, method, route, status, credential, credential_id, credential_name, ip, request_id, ms, omitted from api_requests
       where account_id = $1 and ($2::uuid is null or id < $2) and status >= $3 and status < $4
         and ($5::uuid is null or credential_id = $5) and ($6::text is null or position(lower($6) in lower(route)) > 0)
       order by id desc limit $7`,
      [
        caller.userId,
        decodeIdCursor(query.cursor),
        low,
        high,
        query.credential_id ?? null,
        query.route || null,
        query.limit + 1,
      ],
    );
    const credentials = query.cursor
      ? []
      : await db.query<ApiRequestsPage['credentials'][number]>(
          `select credential_id as id, credential, (array_agg(credential_name order by id desc))[1] as name from api_requests
           where account_id = $1 group by 1, 2 order by 2, 3, 1 limit 200`,
          [caller.userId],
        );
    return { ...pageOf(rows, query.limit), credentials };
  }

  export(caller: Principal, query: ApiRequestsQuery, signal: AbortSignal): Promise<Readable> {
    return this.#deps.exports.open(caller.userId, requestsExport(caller, query), signal);
  }

  /** In the transaction that deletes an account. */
  async deleteOf(sql: Sql, accountId: string): Promise<void> {
    await sql.query('delete from api_requests where account_id = $1', [accountId]);
  }

  /** Hourly: deletes what is too old, and what an account has beyond its share. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const before = new Date(clock.now().getTime() - KEPT);
    for (;;) {
      const gone = await db.query(
        `delete from api_requests where ctid = any(array(select ctid from api_requests where at < $1 limit ${DELETED_AT_ONCE})) returning 1`,
        [before],
      );
      if (gone.length < DELETED_AT_ONCE) break;
    }
    const many = await db.query<{ account_id: string }>(
      `select account_id from api_requests group by 1 having count(*) > ${MOST_KEPT}`,
    );
    for (const { account_id } of many) {
      await db.query(
        `delete from api_requests where account_id = $1
           and id <= (select id from api_requests where account_id = $1 order by id desc offset ${MOST_KEPT} limit 1)`,
        [account_id],
      );
    }
  }

  close(): Promise<void> {
    return this.#late.close();
  }

  /** Adds lines, under the names that their credentials have now, and counts on those that are there. */
  async #write(lines: Line[]): Promise<void> {
    const { db } = this.#deps;
    const fresh = lines.filter((line) => !line.written);
    const known = lines.filter((line) => line.written);
    for (const line of fresh) line.written = true;
    if (fresh.length > 0) {
      await db.query(
        `insert into api_requests (account_id, id, at, method, route, status, credential, credential_id, credential_name, ip, request_id, ms, omitted)
         select n.account_id, n.id, n.at, n.method, n.route, n.status, n.credential, n.credential_id, coalesce(t.name, k.label), n.ip, n.request_id, n.ms, n.omitted
         from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::uuid[], $9::text[],
             $10::text[], $11::int[], $12::int[])
             as n (account_id, id, at, method, route, status, credential, credential_id, ip, request_id, ms, omitted)
           join users u on u.id = n.account_id and u.deleted_at is null
           left join access_tokens t on t.user_id = n.account_id and t.id = n.credential_id
           left join plugin_keys k on (k.developer_id, k.id) = (n.account_id, n.credential_id)`,
        [
          fresh.map(({ credential }) => credential.userId),
          fresh.map(({ id }) => id),
          fresh.map(({ at }) => at),
          fresh.map(({ method }) => method),
          fresh.map(({ route }) => route),
          fresh.map(({ status }) => status),
          fresh.map(({ credential }) => credential.kind),
          fresh.map(({ credential }) => credential.id),
          fresh.map(({ credential, ip }) => (credential.kind === 'access_token' ? ip : null)),
          fresh.map(({ requestId }) => requestId),
          fresh.map(({ ms }) => Math.round(ms)),
          fresh.map(({ omitted }) => omitted),
        ],
      );
    }
    if (known.length > 0) {
      await db.query(
        `update api_requests r set omitted = n.omitted from unnest($1::uuid[], $2::uuid[], $3::int[]) as n (account_id, id, omitted)
         where (r.account_id, r.id) = (n.account_id, n.id)`,
        [
          known.map(({ credential }) => credential.userId),
          known.map(({ id }) => id),
          known.map((line) => line.omitted),
        ],
      );
    }
  }
}

/** From the first to before the last. */
function statuses(status: ApiRequestsQuery['status']): [number, number] {
  const first = status ? Number(status[0]) * 100 : 0;
  return status ? [first, first + 100] : [0, 1000];
}

function requestsExport({ userId, timeZone }: Principal, { status, credential_id, route }: ApiRequestsQuery): Export {
  // COPY takes no parameters
  const text = (value: string | null | undefined) => (value ? pg.escapeLiteral(value) : 'null');
  const [low, high] = statuses(status);
  return {
    query: `select ${csvMoment('at', timeZone)}, method, ${innerBreaks('route')}, status, ms, credential,
        ${innerBreaks('credential_name')}, credential_id, ip, request_id, omitted
      from api_requests where account_id = ${text(userId)}::uuid and status >= ${low} and status < ${high}
        and (${text(credential_id)}::uuid is null or credential_id = ${text(credential_id)}::uuid)
        and (${text(route)}::text is null or position(lower(${text(route)}::text) in lower(route)) > 0)
      order by id desc`,
    format: 'csv',
    header: csvLine([
      `At (${timeZone})`,
      'Method',
      'Route',
      'Status',
      'Milliseconds',
      'Credential',
      'Name',
      'Credential id',
      'IP address',
      'Request id',
      'Omitted',
    ]),
    lineEnd: '\r\n',
    timeZone,
  };
}
