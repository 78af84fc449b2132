import type { Clock } from '#platform/clock.ts';
import type { BackupReport } from './backup.ts';
import { copyBackup, type Draft, isPast, type Kept, nameOf, type Place } from './places.ts';

export interface BackupsMade {
  name: string;
  /** What is in it; null when an earlier one was only copied. */
  report: BackupReport | null;
  /** Where it is now. */
  places: string[];
  /** Older ones that were deleted. */
  deleted: number;
}

interface Dependencies {
  /** The first has it first, the others have copies of that. */
  places: readonly Place[];
  /** How many of the newest each place keeps; undefined: all. */
  keep: number | undefined;
  make(draft: Draft, signal?: AbortSignal): Promise<BackupReport>;
  clock: Clock;
}

/**
 * Backups in their places. An older one is deleted only after a newer one is whole there. Those of moments that have not come are neither
 * counted nor deleted.
 */
export class Backups {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  get #first(): Place {
    return this.#deps.places[0] as Place;
  }

  /** The newest at the first place. */
  async newest(): Promise<Kept | null> {
    return (await this.#listed(this.#first)).at(-1) ?? null;
  }

  async #listed(place: Place): Promise<Kept[]> {
    const now = this.#deps.clock.now();
    return (await place.list()).filter((kept) => isPast(kept, now));
  }

  /** Makes one, copies it, and deletes what is too many. */
  async make(signal?: AbortSignal): Promise<BackupsMade> {
    const name = nameOf(this.#deps.clock.now());
    const report = await this.#deps.make(await this.#first.draft(name), signal);
    return this.#spread(name, report);
  }

  /** Whether a place lacks the newest, as after a copy that failed. */
  async isSpread(): Promise<boolean> {
    const newest = await this.newest();
    if (!newest) return true;
    const sizes = await Promise.all(this.#deps.places.map((place) => place.size(newest.name)));
    return sizes.every((size) => size !== null);
  }

  /** Copies the newest where it is missing. */
  async spread(): Promise<BackupsMade | null> {
    const newest = await this.newest();
    return newest && this.#spread(newest.name, null);
  }

  async #spread(name: string, report: BackupReport | null): Promise<BackupsMade> {
    const { places, keep } = this.#deps;
    const failures: Error[] = [];
    const made: BackupsMade = { name, report, places: [], deleted: 0 };
    for (const place of places) {
      try {
        if (place !== this.#first && (await place.size(name)) === null) await copyBackup(name, this.#first, place);
        made.places.push(place.where);
        if (keep !== undefined) made.deleted += await this.#deleteOld(place, keep, name);
      } catch (error) {
        failures.push(new Error(`${place.where}: ${(error as Error).message}`, { cause: error }));
      }
    }
    if (failures.length === 0) return made;
    const where = made.places.length > 0 ? `${name} is in ${made.places.join(' and ')}. ` : '';
    throw new Error(where + failures.map(({ message }) => message).join(' '), { cause: failures[0] });
  }

  /** All but the newest; never the one that was just made, whatever the clock was when the others were. */
  async #deleteOld(place: Place, keep: number, made: string): Promise<number> {
    const old = (await this.#listed(place)).slice(0, -keep).filter(({ name }) => name !== made);
    for (const { name } of old) await place.delete(name);
    return old.length;
  }
}
