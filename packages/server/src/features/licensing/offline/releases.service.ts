import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import { sameBytes, sha256 } from '#platform/secrets/secrets.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { type LicenseAnswer, LicenseRefusal } from '../rules/license-status.ts';
import { holdSerial, productOf } from '../seats/take.queries.ts';
import { freeSeat, type SeatedSerial } from '../seats/take.ts';
import { type LicensingDb, tables } from '../tables.ts';
import { type ReleaseFile, readRelease } from './offline-format.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
}

const NO_RELEASE = 'This is not a release file.';
/** The same for a license that there is none of and for a wrong secret, which counts as a guess. */
const NO_PROOF = 'This release file does not belong to a license file of ours.';

/** Releases of offline licenses before their leases end, by a secret that only their machine had (decision 0018). */
export class OfflineReleases {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Gives up the seat for a plugin, or for any caller with its key. A repeated call answers the same.
   * @throws {LicenseRefusal} not_found, product_mismatch, leased
   */
  async release({ developerId, asker }: PluginCaller, text: string): Promise<LicenseAnswer> {
    await this.#release(developerId, readable(text));
    // a caller that has the secret is not guessing
    if (asker) asker.isSeated = true;
    return { ok: true, status: 'deactivated' };
  }

  /** Gives up a seat for the owner of one serial. @throws {LicenseRefusal} */
  async releaseOwn({ developerId, serialId }: SeatedSerial, text: string): Promise<void> {
    const file = readable(text);
    if (file.serialId !== serialId) throw new LicenseRefusal('not_found', NO_PROOF);
    await this.#release(developerId, file);
  }

  /** @throws {LicenseRefusal} for a machine file whose license was released: its computer takes no other for it */
  async assertUnused(developerId: string, releaseHash: string | null): Promise<void> {
    if (releaseHash === null) return;
    const used = await this.#deps.db
      .selectFrom('offline_releases')
      .select('id')
      .where('developer_id', '=', developerId)
      .where('release_hash', '=', Buffer.from(releaseHash, 'hex'))
      .limit(1)
      .executeTakeFirst();
    if (used)
      throw new LicenseRefusal(
        'invalid_request',
        'The license file for this machine file was released. Save a new machine file in the plugin.',
      );
  }

  #release(developerId: string, { secret, serialId, productId }: ReleaseFile): Promise<void> {
    const { db, clock, random } = this.#deps;
    const hash = sha256(secret);
    const seat = { developerId, serialId };
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      const own = tables.in(tx);
      // two releases at once, and a renewal: one after the other
      const [serial] = await holdSerial(tx, developerId, serialId);
      if (!serial) throw new LicenseRefusal('not_found', NO_PROOF);
      const before = await own
        .selectFrom('offline_releases')
        .select('id')
        .where('developer_id', '=', developerId)
        .where('serial_id', '=', serialId)
        .where('release_hash', '=', hash)
        .executeTakeFirst();
      if (before) return;
      const machines = await own
        .selectFrom('activations')
        .select(['machine_id', 'release_hash', 'other_file_until', 'leased_until', 'released_at'])
        .where('developer_id', '=', developerId)
        .where('serial_id', '=', serialId)
        .where('release_hash', 'is not', null)
        .execute();
      const machine = machines.find(({ release_hash }) => sameBytes(release_hash as Buffer, hash));
      if (!machine) throw new LicenseRefusal('not_found', NO_PROOF);
      const [product] = await productOf(tx, developerId, serialId);
      if (product?.product_id !== productId) throw new LicenseRefusal('product_mismatch');
      const isLeased = machine.released_at === null && machine.leased_until !== null && machine.leased_until > now;
      if (isLeased && machine.other_file_until !== null && machine.other_file_until > now) {
        const day = machine.other_file_until.toISOString().slice(0, 10);
        throw new LicenseRefusal('leased', `An earlier license file of this computer works until ${day}.`);
      }
      if (machine.released_at === null) await freeSeat(tx, seat, machine.machine_id, now, 'proof');
      await own
        .insertInto('offline_releases')
        .values({
          developer_id: developerId,
          id: random.id(),
          serial_id: serialId,
          release_hash: hash,
          released_at: now,
        })
        .execute();
    });
  }
}

/** @throws {LicenseRefusal} invalid_request */
function readable(text: string): ReleaseFile {
  const file = readRelease(text);
  if (!file) throw new LicenseRefusal('invalid_request', NO_RELEASE);
  return file;
}
