import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { findInText } from '#features/serials';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import { TenantLookup } from '#platform/caches/tenant-lookup.ts';
import { type Clock, stopwatch } from '#platform/clock.ts';
import { isCutShort, isPartAway } from '#platform/db/away.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, joinShared } from '#platform/db/tenant.ts';
import type { Asker, PluginCaller } from '../requests/plugin-caller.ts';
import type { LicenseFacts } from '../rules/license-rules.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
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

/** Finds the license that a call is about, with the seat of its machine. */
export class Licenses {
  readonly #db: LicensingDb;
  readonly #seats: SeatFinder;
  readonly #batches: LookupCache<BatchFacts | undefined>;

  constructor({ db, clock }: { db: LicensingDb; clock: Clock }) {
    this.#db = db;
    this.#seats = new SeatFinder(db);
    this.#batches = new LookupCache({ clock, lifetime: 500 });
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
    const db = this.#db;
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
}

/** Licenses of one statement. */
const MOST_AT_ONCE = 100;
/** The longest that the first of them waits, in milliseconds: turns of the event loop are long during exports. */
const PATIENCE = 1;

/** How many developers a statement names: 1, 2, 4, …, so that a few texts serve all calls. */
const WIDTHS = Array.from({ length: Math.ceil(Math.log2(MOST_AT_ONCE)) + 1 }, (_, power) => 2 ** power);

// Planned once per connection, for one question, whose joins keep to the indexes; planning costs more than looking up.
// This depends on three details. PostgreSQL uses a general plan only when it expects it to cost no more than one made
// for the arguments. The limit, which never cuts anything off, makes it expect a single question. Developers are named
// one by one, so that it expects no more of them than there are; it would expect ten of an array. The serials found
// look up their machines by the whole key only from a relation of their own, instead of reading all machines of a
// serial.
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

/** The facts that all licenses of a batch share. */
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

/** A question for a license on a machine. */
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
