import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { findInText } from '#features/serials';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { TenantLookup } from '#platform/caches/tenant-lookup.ts';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, MINUTE, stopwatch } from '#platform/clock.ts';
import { isCutShort, isPartAway } from '#platform/db/away.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, joinShared } from '#platform/db/tenant.ts';
import type { Logger } from '#platform/log.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import type { Asker, PluginCaller } from '../requests/plugin-caller.ts';
import type { LicenseFacts } from '../rules/license-rules.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { notedSeen, seenColumns } from '../seats/noted.ts';
import { knownSpelling } from '../seats/seats.queries.ts';
import type { SeatedSerial } from '../seats/take.ts';
import { type LicensingDb, tables } from '../tables.ts';
import type { Subject } from '../tokens/license-token.ts';

/** A license, and the seat of the calling machine. */
interface SeatRow
  extends Columns<'serials', 'developer_id' | 'batch_id' | 'customer_id' | 'revoked_at' | 'redeemed_at' | 'seats_used'>,
    // version, label and os as the machine last reported them
    Columns<'activations', 'released_at' | 'leased_until' | 'version' | 'label' | 'os'> {
  serial_id: string;
  /** Seats of this serial alone, where they differ from the product's. */
  own_max_activations: number | null;
  activation_id: string | null;
  token_hash: Buffer | null;
}

export type License = LicenseFacts &
  BatchFacts &
  SeatRow & {
    /** The calling machine, spelled as its seat has it. */
    machine_id: string;
  };

/** What a machine that holds a seat reports, and the newest token issued to it. */
interface Visit {
  developerId: string;
  at: Date;
  version: string | null;
  tokenHash: Buffer | null;
}

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  log: Logger;
}

/** Finds the license that a call is about with the seat of its machine, and notes that the machine was here. */
export class Licenses {
  readonly #deps: Dependencies;
  readonly #seats: SeatFinder;
  readonly #batches: LookupCache<BatchFacts | undefined>;
  readonly #visits: WriteBehind<Visit>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#seats = new SeatFinder(deps.db);
    this.#batches = new LookupCache({ clock: deps.clock, lifetime: 500 });
    this.#visits = new WriteBehind(
      MINUTE,
      (visits, rest) => writeVisits(deps.db, visits, rest),
      (error) => deps.log.warn({ err: error }, 'the last visits of machines could not be noted'),
      MOST_VISITS,
    );
  }

  /**
   * @param oldIds other ids of the machine: a seat held by one of them is its seat too.
   * @throws {LicenseRefusal} not_found; rate_limited for a machine without a seat while its address is guessing
   */
  async find(
    { developerId, asker }: PluginCaller,
    code: string,
    machineId: string,
    oldIds: readonly string[] = [],
  ): Promise<License> {
    const { db } = this.#deps;
    const seatOf = (machine: string) =>
      findInText(code, (codeKey) => this.#seats.find({ codeKey, developerId, machineId: machine }));
    const sent = await seatOf(machineId);
    const machine_id = sent && !isSeated(sent) ? await knownSpelling(db, sent, machineId) : machineId;
    const seat = machine_id === machineId ? sent : await seatOf(machine_id);
    const batch =
      seat &&
      (await this.#batches.get(seat.batch_id, async () => (await batchFacts(db, developerId, seat.batch_id))[0]));
    if (!batch) throw new LicenseRefusal('not_found');
    if (asker) asker.isSeated = isSeated(seat);
    if (asker?.guessed && !asker.isSeated) await this.assertSeated(asker, () => isAnySeated(db, seat, oldIds));
    const max_activations = seat.own_max_activations ?? batch.max_activations;
    return { ...seat, ...batch, machine_id, max_activations, owner_email_key: null };
  }

  /**
   * While an address is guessing, only a machine that has a seat gets through.
   * @throws {LicenseRefusal} rate_limited
   */
  async assertSeated(asker: Asker | null, hasSeat: () => Promise<boolean>): Promise<void> {
    if (!asker?.guessed) return;
    asker.isSeated = await hasSeat();
    if (!asker.isSeated) throw new LicenseRefusal('rate_limited');
  }

  /** Notes that a machine with a seat was here. @param token that it was just issued. */
  visited(
    { developer_id: developerId, activation_id: id }: License,
    version: string | null,
    token: string | undefined,
  ): void {
    if (id === null) return;
    const before = this.#visits.waiting(id);
    this.#visits.note(id, {
      developerId,
      at: this.#deps.clock.now(),
      version: version ?? before?.version ?? null,
      tokenHash: token === undefined ? (before?.tokenHash ?? null) : sha256(token),
    });
  }

  /** The hashes of the newest tokens issued to this machine: those in its row, and those not written yet. */
  newestTokens({ activation_id: id, token_hash: written }: License): Buffer[] {
    const unwritten = id === null ? null : this.#visits.unwritten(id)?.tokenHash;
    return [written, unwritten].filter((hash) => hash != null);
  }

  close(): Promise<void> {
    return this.#visits.close();
  }
}

/** Licenses of one statement. */
const MOST_AT_ONCE = 100;
/** What the first of them waits at most, in milliseconds: turns of the event loop are long while others export. */
const PATIENCE = 1;

/** How many developers a statement names: 1, 2, 4, …, so that a few texts serve all calls. */
const WIDTHS = Array.from({ length: Math.ceil(Math.log2(MOST_AT_ONCE)) + 1 }, (_, power) => 2 ** power);

// Planned once per connection, for one question, whose joins keep to the indexes; planning costs more than looking up. It
// depends on three details. PostgreSQL uses a general plan only when it expects it to cost no more than one made for the
// arguments: the limit, which never cuts anything off, makes it expect a single question, and developers that are named one
// by one no more of them than there are; of an array it would expect ten. And only from a relation of their own do the
// serials found look up their machines by the whole key, instead of reading all machines of a serial.
const lookUps = WIDTHS.map((width) =>
  tables.named(
    `seats_of_${width}`,
    (
      _,
      count: number,
      codeKeys: readonly string[],
      developerIds: readonly string[],
      machineIds: readonly string[],
      ...developers: readonly string[]
    ) => {
      const one = sql`${developers[0]}::uuid`;
      const all = sql`any(array[${sql.join(developers)}]::uuid[])`;
      const theirs = width === 1 ? one : all;
      const questions = width === 1 ? sql`${codeKeys}::text[]` : sql`${codeKeys}::text[], ${developerIds}::uuid[]`;
      const columns = width === 1 ? sql`code_key` : sql`code_key, developer_id`;
      const their =
        width === 1 ? sql`s.code_key = q.code_key` : sql`(s.code_key, s.developer_id) = (q.code_key, q.developer_id)`;
      return sql<SeatRow & { n: number }>`
    with found as materialized (
      select q.n, q.machine_id, s.id as serial_id, s.developer_id, s.batch_id, s.customer_id, s.revoked_at, s.redeemed_at,
        s.seats_used, s.max_activations as own_max_activations
      from (select * from unnest(${questions}, ${machineIds}::text[])
          with ordinality as q (${columns}, machine_id, n) limit ${count}::int) q
        join serials s on ${their} and s.developer_id = ${theirs}
    )
    select f.n, f.serial_id, f.developer_id, f.batch_id, f.customer_id, f.revoked_at, f.redeemed_at, f.seats_used,
      f.own_max_activations, a.id as activation_id, a.released_at, a.token_hash, a.leased_until, a.version, a.label, a.os
    from found f left join activations a on a.developer_id = ${theirs}
      and (a.developer_id, a.serial_id, a.machine_id) = (f.developer_id, f.serial_id, f.machine_id)`;
    },
  ),
);

/** What a license shares with all others of its batch. */
const batchFacts = tables.named('batch', (begin, developerId: string, batchId: string) =>
  begin
    .selectFrom('batches as b')
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .$call(joinShared('users as u', 'u.id', 'b.developer_id'))
    .select(['b.product_id', 'p.is_draft', 'b.promo_start', 'b.expires_at', 'p.max_activations', 'p.offline_days'])
    .select('p.on_loss')
    .select([
      // the developer's
      'u.time_zone',
      sql<boolean>`p.deleted_at is not null`.as('product_deleted'),
      sql<boolean>`u.deleted_at is not null`.as('developer_deleted'),
    ])
    .where('b.developer_id', '=', developerId)
    .where('b.id', '=', batchId),
);
type BatchFacts = Awaited<ReturnType<typeof batchFacts>>[number];

/** Which license, and on which machine. */
interface SeatQuestion {
  codeKey: string;
  developerId: string;
  machineId: string;
}

/**
 * Looks licenses up, always fresh: a revocation is obeyed by the next call. Calls that arrive together share a
 * statement, so that the busier the server is, the less each of them costs.
 */
export class SeatFinder {
  readonly #loader: DataLoader<SeatQuestion, SeatRow | undefined>;
  #arrived = 0;

  constructor(db: LicensingDb) {
    const lookup = new TenantLookup<SeatQuestion, SeatRow | undefined>({
      find: (questions) => findSeats(db, questions),
      tenantOf: ({ developerId }) => developerId,
      // a machine that is not reached in time shows as a statement that took too long
      isPartial: (error) => isPartAway(error) || isCutShort(error),
    });
    // a promise among the answers is waited for by its own caller alone
    this.#loader = new DataLoader((questions) => lookup.ask(questions) as Promise<(SeatRow | undefined)[]>, {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (send) => this.#whenCalm(send, stopwatch() + PATIENCE),
    });
  }

  /** Undefined: this developer has no such license. */
  find(question: SeatQuestion): Promise<SeatRow | undefined> {
    this.#arrived += 1;
    return this.#loader.load(question);
  }

  /** As soon as a turn of the event loop has brought no further call. */
  #whenCalm(send: () => void, until: number): void {
    const before = this.#arrived;
    setImmediate(() => {
      if (this.#arrived === before || stopwatch() >= until) send();
      else this.#whenCalm(send, until);
    });
  }
}

export async function findSeats(handle: Sql, questions: readonly SeatQuestion[]): Promise<(SeatRow | undefined)[]> {
  const developerIds = questions.map((question) => question.developerId);
  const developers = [...new Set(developerIds)];
  const power = Math.ceil(Math.log2(developers.length));
  const missing = Array<string>(2 ** power - developers.length).fill(developers[0] as string);
  const rows = await (lookUps[power] as (typeof lookUps)[number])(
    handle,
    questions.length,
    questions.map((question) => question.codeKey),
    developerIds,
    questions.map((question) => question.machineId),
    ...developers,
    ...missing,
  );
  const found: (SeatRow | undefined)[] = new Array(questions.length).fill(undefined);
  for (const row of rows) found[row.n - 1] = row;
  return found;
}

/** Machines that a process remembers at most, a few hundred bytes each. Of one that comes back meanwhile only the last visit is written. */
const MOST_VISITS = 50_000;
/** A few milliseconds of the database. */
const VISITS_AT_ONCE = 200;

const noteVisits = tables.named(
  'visits',
  (
    _,
    developerId: string,
    ids: readonly string[],
    times: readonly Date[],
    versions: readonly (string | null)[],
    tokenHashes: readonly (Buffer | null)[],
  ) => sql<{ n: number }>`
    with known as materialized (select * from (
      select a.id, a.version, a.os, a.last_seen_at, n.at, n.version as told_version, n.token_hash as told_token
      from unnest(${ids}::uuid[], ${times}::timestamptz[], ${versions}::text[], ${tokenHashes}::bytea[])
          as n (id, at, version, token_hash)
        join activations a on a.developer_id = ${developerId} and a.id = n.id
      order by a.id for no key update of a) locked
    ), seen as (
      update activations a set last_seen_at = greatest(a.last_seen_at, k.at), version = coalesce(k.told_version, a.version),
        token_hash = case when a.released_at is null then coalesce(k.told_token, a.token_hash) end
      from known k where a.developer_id = ${developerId} and a.id = k.id returning ${seenColumns}, a.released_at
    ), held as (
      select * from seen where released_at is null
    ), ${notedSeen(sql`${developerId}`, 'held')}
    select count(*)::int as n from seen`,
);

async function writeVisits(
  db: LicensingDb,
  notes: ReadonlyMap<string, Visit>,
  rest: () => Promise<void>,
): Promise<void> {
  const lost: unknown[] = [];
  for (const [developerId, own] of Map.groupBy(notes, ([, visit]) => visit.developerId)) {
    try {
      for (let from = 0; from < own.length; from += VISITS_AT_ONCE) {
        await writeVisitsOf(db, developerId, own.slice(from, from + VISITS_AT_ONCE));
        await rest();
      }
    } catch (error) {
      if (!isPartAway(error)) throw error;
      lost.push(error);
    }
  }
  if (lost.length > 0) throw new AggregateError(lost, `those of ${lost.length} developers`);
}

async function writeVisitsOf(db: LicensingDb, developerId: string, own: readonly [id: string, Visit][]): Promise<void> {
  const of = <T>(value: (visit: Visit) => T) => own.map(([, visit]) => value(visit));
  await noteVisits(
    db,
    developerId,
    own.map(([id]) => id),
    of(({ at }) => at),
    of(({ version }) => version),
    of(({ tokenHash }) => tokenHash),
  );
}

const seatOfAny = tables.named(
  'seat_of_any',
  (begin, developerId: string, serialId: string, machineIds: readonly string[]) =>
    begin
      .selectFrom('activations')
      .select('id')
      .where('developer_id', '=', developerId)
      .where('serial_id', '=', serialId)
      .where('machine_id', '=', sql<string>`any(${machineIds})`)
      .where('released_at', 'is', null)
      .limit(sql.lit(1)),
);

/** Whether a license has a seat under one of these machine ids. */
export async function isAnySeated(
  handle: Sql,
  { serial_id, developer_id }: { serial_id: string; developer_id: string },
  machineIds: readonly string[],
): Promise<boolean> {
  if (machineIds.length === 0) return false;
  return (await seatOfAny(handle, developer_id, serial_id, machineIds)).length > 0;
}

function isSeated(seat: { activation_id: string | null; released_at: Date | null }): boolean {
  return seat.activation_id !== null && seat.released_at === null;
}

export function serialOf(license: License): SeatedSerial {
  return { developerId: license.developer_id, serialId: license.serial_id };
}

/** @param machineId as it was sent: a token keeps that spelling. */
export function subjectOf(license: License, machineId: string): Subject {
  return {
    developerId: license.developer_id,
    id: license.serial_id,
    productId: license.product_id,
    machineId,
  };
}
