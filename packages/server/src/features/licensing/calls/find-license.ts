import { sql } from 'kysely';
import { findInText } from '#features/serials';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { joinOwn, joinShared } from '#platform/db/tenant.ts';
import type { Asker, PluginCaller } from '../requests/plugin-caller.ts';
import type { LicenseFacts } from '../rules/license-rules.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { knownSpelling } from '../seats/seats.queries.ts';
import type { SeatedSerial } from '../seats/take.ts';
import { type LicensingDb, tables } from '../tables.ts';
import type { Subject } from '../tokens/license-token.ts';
import { SeatFinder, type SeatRow } from './seat-finder.ts';

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
