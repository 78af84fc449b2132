import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { workFor } from '../../platform/db/lane.ts';
import { ShortCache } from '../../platform/short-cache.ts';
import type { PluginKeys } from '../plugin-keys/index.ts';
import { serialKey } from '../serials/index.ts';
import { firstRefusal } from './license-rules.ts';
import { LicenseRefusal } from './license-status.ts';
import { type BatchFacts, findBatchFacts, type License, ownerOf, SeatFinder } from './licensing.queries.ts';
import { answerTestSerial, testSerialOutcome } from './test-serials.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  pluginKeys: PluginKeys;
}

/** How a plugin shows who it is. */
export interface Credential {
  key: string;
  /** Sent by some clients beside the key, and then it has to fit. */
  developerId?: string;
}

/** Who asks, and about which licence. */
export class LicenseLookup {
  readonly #deps: Dependencies;
  readonly #seats: SeatFinder;
  readonly #batches: ShortCache<BatchFacts>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#seats = new SeatFinder(deps.db);
    this.#batches = new ShortCache(deps.clock);
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

  /** @throws {LicenseRefusal} unauthorized, not_found */
  async license(credential: Credential | null, code: string, machineId: string): Promise<License> {
    const { db } = this.#deps;
    const developerId = await this.developer(credential);
    const seat = await this.#seats.find({ codeKey: serialKey(code), developerId, machineId });
    const batch = seat && (await this.#batches.get(seat.batch_id, () => findBatchFacts(db, seat.batch_id)));
    if (!batch) throw new LicenseRefusal('not_found');
    return { ...seat, ...batch, max_activations: seat.own_max_activations ?? batch.max_activations };
  }

  /** @throws {LicenseRefusal} with the status of the first rule that says no. */
  async holdToRules(license: License, productId: string | null, email: string | null): Promise<void> {
    const emailKey = email?.toLowerCase() ?? null;
    // the owner is looked up only when an address has to be compared
    const owner =
      emailKey === null || license.customer_id === null ? null : await ownerOf(this.#deps.db, license.customer_id);
    const refusal = firstRefusal(
      { ...license, owner_email_key: owner },
      { now: this.#deps.clock.now(), productId, emailKey },
    );
    if (refusal) throw new LicenseRefusal(refusal);
  }
}
