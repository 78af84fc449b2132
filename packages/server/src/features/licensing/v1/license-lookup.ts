import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { workFor } from '../../../platform/db/lane.ts';
import { emailKey } from '../../../platform/email.ts';
import { LookupCache } from '../../../platform/lookup-cache.ts';
import type { PluginKeys } from '../../plugin-keys/index.ts';
import { serialKey } from '../../serials/index.ts';
import { firstRefusal, isOrphan } from '../rules/license-rules.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { answerTestSerial, testSerialOutcome } from '../rules/test-serials.ts';
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
  pluginKeys: PluginKeys;
}

/** What the guard against guessers and the look-up tell each other about a request. */
export interface Asker {
  /** The address has named too many licences that do not exist: how it is refused, unless its machine has its seat. */
  guessed: Error | null;
  /** Set by the look-up. What a machine with a seat is told is no news to its owner. */
  isSeated: boolean;
}

/** How a plugin shows who it is. */
export interface Credential {
  key: string;
  /** Sent by some clients beside the key, and then it has to fit. */
  developerId?: string;
  asker?: Asker | null;
}

/** Who asks, and about which licence. */
export class LicenseLookup {
  readonly #deps: Dependencies;
  readonly #seats: SeatFinder;
  readonly #batches: LookupCache<BatchFacts | undefined>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#seats = new SeatFinder(deps.db);
    this.#batches = new LookupCache({ clock: deps.clock, lifetime: 500 });
  }

  async #find(credential: Credential | null) {
    const key = credential === null ? undefined : await this.#deps.pluginKeys.find(credential.key);
    if (!key || (credential?.developerId ?? key.developer_id) !== key.developer_id) return undefined;
    workFor(key.developer_id);
    return key;
  }

  /** Undefined: the credential is nobody’s. */
  async findDeveloper(credential: Credential | null): Promise<string | undefined> {
    return (await this.#find(credential))?.developer_id;
  }

  /**
   * What a test serial answers to this key; null for every other serial. No row is read or written.
   * @throws {LicenseRefusal} the status that it stands for; unauthorized
   */
  async testAnswer(credential: Credential | null, code: string) {
    if (testSerialOutcome(code) === null) return null;
    const key = await this.#find(credential);
    if (!key) throw new LicenseRefusal('unauthorized');
    return answerTestSerial(code, key);
  }

  /** @throws {LicenseRefusal} unauthorized */
  async developer(credential: Credential | null): Promise<string> {
    const developerId = await this.findDeveloper(credential);
    if (developerId === undefined) throw new LicenseRefusal('unauthorized');
    return developerId;
  }

  /**
   * @param oldIds other ids of the machine: a seat that one of them holds is its seat too.
   * @throws {LicenseRefusal} unauthorized, not_found; rate_limited for a machine without a seat, where somebody is guessing
   */
  async license(
    credential: Credential | null,
    code: string,
    machineId: string,
    oldIds: readonly string[] = [],
  ): Promise<License> {
    const { db } = this.#deps;
    const developerId = await this.developer(credential);
    const seat = await this.#seats.find({ codeKey: serialKey(code), developerId, machineId });
    const batch =
      seat && (await this.#batches.get(seat.batch_id, () => findBatchFacts(db, developerId, seat.batch_id)));
    if (!batch) throw new LicenseRefusal('not_found');
    const asker = credential?.asker;
    if (asker) asker.isSeated = seat.activation_id !== null && seat.released_at === null;
    if (asker?.guessed && !asker.isSeated) await this.assertSeated(credential, () => isAnySeated(db, seat, oldIds));
    return { ...seat, ...batch, max_activations: seat.own_max_activations ?? batch.max_activations };
  }

  /**
   * Where somebody is guessing, only a machine that has its seat goes on.
   * @throws {LicenseRefusal} rate_limited
   */
  async assertSeated(credential: Credential | null, hasSeat: () => Promise<boolean>): Promise<void> {
    const asker = credential?.asker;
    if (!asker?.guessed) return;
    asker.isSeated = await hasSeat();
    if (!asker.isSeated) throw new LicenseRefusal('rate_limited');
  }

  /** @throws {LicenseRefusal} with the status of the first rule that says no. */
  async assertRules(license: License, productId: string | null, email: string | null): Promise<void> {
    const key = email === null ? null : emailKey(email);
    // the owner is looked up only when an address has to be compared
    const owner =
      key === null || license.customer_id === null
        ? null
        : await ownerOf(this.#deps.db, license.developer_id, license.customer_id);
    const refusal = firstRefusal(
      { ...license, owner_email_key: owner },
      { now: this.#deps.clock.now(), productId, emailKey: key },
    );
    if (refusal === 'expired' && isOrphan(license)) throw new LicenseRefusal(refusal, DEVELOPER_GONE);
    if (refusal) throw new LicenseRefusal(refusal);
  }
}
