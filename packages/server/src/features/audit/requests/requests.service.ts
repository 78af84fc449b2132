import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, DAY, MINUTE, SECOND } from '#platform/clock.ts';
import { csvExport, csvText } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import type { Sql } from '#platform/db/database.ts';
import type { ApiResponse } from '#platform/feature.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import type { Export, Exports } from '#platform/spool/exports.ts';
import { type AuditDb, tables } from '../tables.ts';
import type { ApiRequestsPage, ApiRequestsQuery } from './requests.schemas.ts';

const KEPT = 7 * DAY;
/** The most lines of each account; the hourly housekeeping deletes what is more. */
const MOST_KEPT = 10_000;
/** Lines a minute for each account and process; the last of them counts what came after it. */
const LINES = { access_token: 120, plugin_key: 10 } as const;
const DELETED_AT_ONCE = 10_000;

interface Dependencies {
  db: AuditDb;
  clock: Clock;
  random: Random;
  log: Logger;
  exports: Exports;
}

interface Line extends ApiResponse {
  id: string;
  at: Date;
  omitted: number;
  /** Whether it is in the database, so that only its count of omitted ones is written. */
  written: boolean;
}

/** The requests of one account, with one kind of credential, in this minute. */
interface Minute {
  left: number;
  last: Line;
}

/** The log of requests with an account's credentials. No answer waits for it: it is written once a second. */
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
  note(response: ApiResponse): void {
    const at = this.#deps.clock.now();
    const minute = Math.floor(at.getTime() / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#lines = new Map();
    }
    const { kind, accountId } = response.credential;
    // refusals of plugins have lines of their own, however many calls succeed
    const key = `${kind} ${kind === 'plugin_key' && response.status >= 400} ${accountId}`;
    const known = this.#lines.get(key);
    if (known && known.left === 0) {
      known.last.omitted += 1;
      this.#late.note(known.last.id, known.last);
      return;
    }
    const line: Line = { ...response, id: this.#deps.random.id(), at, omitted: 0, written: false };
    this.#lines.set(key, { left: (known?.left ?? LINES[kind]) - 1, last: line });
    this.#late.note(line.id, line);
  }

  /** @returns newest first, and on the first page what the log can be filtered by. */
  async list(caller: Principal, query: ApiRequestsQuery): Promise<ApiRequestsPage> {
    const { db } = this.#deps;
    const after = decodeIdCursor(query.cursor);
    const rows = await db
      .selectFrom('api_requests')
      .select(['id', 'at', 'method', 'route', 'status', 'credential', 'credential_id', 'credential_name'])
      .select(['ip', 'request_id', 'ms', 'omitted'])
      .where(matching(caller.accountId, query))
      .$if(after !== null, (all) => all.where('id', '<', after as string))
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute();
    const credentials = query.cursor ? [] : await credentialsOf(db, caller.accountId);
    return { ...pageOf(rows, query.limit), credentials };
  }

  export(caller: Principal, query: ApiRequestsQuery, signal: AbortSignal): Promise<Readable> {
    return this.#deps.exports.open(caller.accountId, requestsExport(caller, query), signal);
  }

  /** Deletes an account's requests, in the transaction that deletes the account. */
  async deleteOf(tx: Sql, accountId: string): Promise<void> {
    await tables.in(tx).deleteFrom('api_requests').where('account_id', '=', accountId).execute();
  }

  /** Hourly: deletes what is too old, and what an account has beyond its share. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const before = new Date(clock.now().getTime() - KEPT);
    for (;;) {
      const deleted = await sql`delete from api_requests where ctid = any(array(
        select ctid from api_requests where at < ${before} limit ${sql.lit(DELETED_AT_ONCE)})) returning 1`.execute(db);
      if (deleted.rows.length < DELETED_AT_ONCE) break;
    }
    const many = await db
      .selectFrom('api_requests')
      .select('account_id')
      .groupBy('account_id')
      .having((eb) => eb.fn.countAll<number>(), '>', MOST_KEPT)
      .execute();
    for (const { account_id } of many) {
      const newest = db
        .selectFrom('api_requests')
        .select('id')
        .where('account_id', '=', account_id)
        .orderBy('id', 'desc');
      await db
        .deleteFrom('api_requests')
        .where('account_id', '=', account_id)
        .where('id', '<=', newest.offset(MOST_KEPT).limit(1))
        .execute();
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
      const of = <T>(value: (line: Line) => T) => fresh.map(value);
      await sql`
        insert into api_requests (account_id, id, at, method, route, status, credential, credential_id, credential_name, ip, request_id, ms, omitted)
        select n.account_id, n.id, n.at, n.method, n.route, n.status, n.credential, n.credential_id, coalesce(t.name, k.label), n.ip, n.request_id, n.ms, n.omitted
        from unnest(${of(({ credential }) => credential.accountId)}::uuid[], ${of(({ id }) => id)}::uuid[],
            ${of(({ at }) => at)}::timestamptz[], ${of(({ method }) => method)}::text[], ${of(({ route }) => route)}::text[],
            ${of(({ status }) => status)}::smallint[], ${of(({ credential }) => credential.kind)}::text[],
            ${of(({ credential }) => credential.id)}::uuid[],
            ${of(({ credential, ip }) => (credential.kind === 'access_token' ? ip : null))}::text[],
            ${of(({ requestId }) => requestId)}::text[], ${of(({ ms }) => Math.round(ms))}::int[],
            ${of(({ omitted }) => omitted)}::int[])
            as n (account_id, id, at, method, route, status, credential, credential_id, ip, request_id, ms, omitted)
          join users u on u.id = n.account_id and u.deleted_at is null
          left join access_tokens t on t.user_id = n.account_id and t.id = n.credential_id
          left join plugin_keys k on (k.developer_id, k.id) = (n.account_id, n.credential_id)`.execute(db);
    }
    if (known.length > 0) {
      const of = <T>(value: (line: Line) => T) => known.map(value);
      await sql`update api_requests r set omitted = n.omitted
        from unnest(${of(({ credential }) => credential.accountId)}::uuid[], ${of(({ id }) => id)}::uuid[],
          ${of(({ omitted }) => omitted)}::int[]) as n (account_id, id, omitted)
        where (r.account_id, r.id) = (n.account_id, n.id)`.execute(db);
    }
  }
}

/** The credentials that the log can be filtered by. */
function credentialsOf(db: AuditDb, accountId: string) {
  return db
    .selectFrom('api_requests')
    .select(['credential_id as id', 'credential'])
    .select(sql<string | null>`(array_agg(credential_name order by id desc))[1]`.as('name'))
    .where('account_id', '=', accountId)
    .groupBy(['credential_id', 'credential'])
    .orderBy('credential')
    .orderBy('name')
    .orderBy('credential_id')
    .limit(200)
    .execute();
}

/** Conditions for the requests that an account asks for. */
function matching(accountId: string, { status, credential_id, route }: ApiRequestsQuery) {
  const [low, high] = statuses(status);
  const conditions = [
    sql`account_id = ${accountId} and status >= ${low} and status < ${high}`,
    ...(credential_id ? [sql`credential_id = ${credential_id}`] : []),
    ...(route ? [sql`position(lower(${route}) in lower(route)) > 0`] : []),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** A range of statuses: the first, and the end, which is excluded. */
function statuses(status: ApiRequestsQuery['status']): [number, number] {
  const first = status ? Number(status[0]) * 100 : 0;
  return status ? [first, first + 100] : [0, 1000];
}

function requestsExport({ accountId, timeZone }: Principal, query: ApiRequestsQuery): Export {
  const cells = {
    [`At (${timeZone})`]: csvMoment('at', timeZone),
    Method: 'method',
    Route: csvText('route'),
    Status: 'status',
    Milliseconds: 'ms',
    Credential: 'credential',
    Name: csvText('credential_name'),
    'Credential id': 'credential_id',
    'IP address': 'ip',
    'Request id': csvText('request_id'),
    Omitted: 'omitted',
  };
  const select = (row: RawBuilder<unknown>) =>
    sql`select ${row} from api_requests where ${matching(accountId, query)} order by id desc`;
  return csvExport(tables, cells, select, { timeZone });
}
