import { findInText } from '#features/serials';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { momentInWords } from '#platform/time/moment-words.ts';
import type { Asker, PluginCaller } from '../requests/plugin-caller.ts';
import { firstRefusal, isOrphan } from '../rules/license-rules.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { knownSpelling } from '../seats/seats.queries.ts';
import {
  type BatchFacts,
  findBatchFacts,
  isAnySeated,
  type License,
  ownerOf,
  SeatFinder,
} from './licensing.queries.ts';

const DEVELOPER_GONE =
  'The maker of this plugin has closed their account, so this serial can no longer be activated. Ask the shop that sold it for a refund.';

interface Dependencies {
  db: Database;
  clock: Clock;
}

/** Finds the license that a call is about, and checks whether the call may proceed. */
export class LicenseLookup {
  readonly #deps: Dependencies;
  readonly #seats: SeatFinder;
  readonly #batches: LookupCache<BatchFacts | undefined>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#seats = new SeatFinder(deps.db);
    this.#batches = new LookupCache({ clock: deps.clock, lifetime: 500 });
  }

  /**
   * @param oldIds other ids of the machine: a seat held by one of them is its seat too.
   * @throws {LicenseRefusal} not_found; rate_limited for a machine without a seat while its address is guessing
   */
  async license(
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
      seat && (await this.#batches.get(seat.batch_id, () => findBatchFacts(db, developerId, seat.batch_id)));
    if (!batch) throw new LicenseRefusal('not_found');
    if (asker) asker.isSeated = isSeated(seat);
    if (asker?.guessed && !asker.isSeated) await this.assertSeated(asker, () => isAnySeated(db, seat, oldIds));
    return { ...seat, ...batch, machine_id, max_activations: seat.own_max_activations ?? batch.max_activations };
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

  /** @throws {LicenseRefusal} with the status of the first rule that refuses. */
  async assertRules(license: License, productId: string | null, email: string | null): Promise<void> {
    const key = email === null ? null : emailKey(email);
    // look the owner up only when there is an address to compare
    const owner =
      key === null || license.customer_id === null
        ? null
        : await ownerOf(this.#deps.db, license.developer_id, license.customer_id);
    const refusal = firstRefusal(
      { ...license, owner_email_key: owner },
      { now: this.#deps.clock.now(), productId, emailKey: key },
    );
    if (refusal === 'expired' && isOrphan(license)) throw new LicenseRefusal(refusal, DEVELOPER_GONE);
    if (refusal === 'not_yet_valid' && license.promo_start) {
      const from = momentInWords(license.promo_start, license.time_zone);
      throw new LicenseRefusal(refusal, `This serial can be used from ${from}.`);
    }
    if (refusal) throw new LicenseRefusal(refusal);
  }
}

function isSeated(seat: { activation_id: string | null; released_at: Date | null }): boolean {
  return seat.activation_id !== null && seat.released_at === null;
}
