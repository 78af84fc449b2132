import type { Clock } from '#platform/clock.ts';
import type { ImportDependencies } from '../dependencies.ts';
import type { ImportKey } from '../imports.queries.ts';
import { type Load, Loader, type Work } from '../loader.ts';
import { Progress } from '../progress.ts';
import type { ImportsHandle } from '../tables.ts';
import type { Differences } from '../update/difference.ts';
import { differences, noteBrought } from '../update/differences.ts';
import type { StoredPlan } from './assistant.queries.ts';
import { Checking } from './checking.ts';
import type { Checked, SourceFormat } from './plan.ts';
import { loadOf, PlannedFile } from './planned-file.ts';
import { replacing, takenOf } from './replacing.ts';

const MIB = 1024 * 1024;

/**
 * Longer files, in bytes, are checked as a job: proxies give up on an answer after a minute. Half of that is left for a machine that is
 * busy. Workbooks are packed.
 */
export const CHECKED_AT_ONCE: Readonly<Record<SourceFormat, number>> = { csv: 32 * MIB, json: 32 * MIB, xlsx: 4 * MIB };

export const isLarge = ({ format, size }: StoredPlan): boolean => size > CHECKED_AT_ONCE[format];

/** Tries a whole import, and keeps nothing of it but what was found. */
export class Checker {
  readonly #clock: Clock;
  readonly #loader: Loader;
  readonly #progress: Progress;
  readonly #file: PlannedFile;

  constructor(deps: ImportDependencies) {
    this.#clock = deps.clock;
    this.#loader = new Loader(deps);
    this.#progress = new Progress(deps);
    this.#file = new PlannedFile(deps);
  }

  /** @throws {AppError} csv_unusable for a file that cannot be read as a whole */
  async check(
    key: ImportKey,
    { plan }: StoredPlan,
    { timeZone, signal, work }: { timeZone: string; signal: AbortSignal; work: Work },
  ): Promise<Checked> {
    const progress = this.#progress;
    const clock = this.#clock;
    return this.#file.with(key, plan, async (file) => {
      const checking = new Checking(plan.kind, timeZone, clock.now());
      let changes: Differences | null = null;
      const own = takenOf(key, await progress.find(key));
      const onStart = await replacing({ progress, clock }, key, plan, (tx, taken) =>
        noteBrought(tx, 'rows_before', taken),
      );
      const load: Load = {
        ...loadOf(key, plan, { file, timeZone }),
        dryRun: true,
        signal,
        ...checking.hooks,
        ...(onStart && {
          onStart,
          onSettled: async (tx: ImportsHandle) => {
            await noteBrought(tx, 'rows_after', own);
            changes = await differences(tx);
          },
        }),
      };
      const loaded = await this.#loader.load(load, work);
      return checking.result(loaded, changes);
    });
  }
}
