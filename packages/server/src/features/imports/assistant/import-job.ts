import { noteRestock } from '#features/serials';
import { DAY, HOUR } from '#platform/clock.ts';
import { AppError } from '#platform/errors.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { ImportDependencies } from '../dependencies.ts';
import * as q from '../imports.queries.ts';
import type { ImportView } from '../imports.schemas.ts';
import { EndedElsewhere, type Loaded, Loader, type Work } from '../loader.ts';
import { Progress } from '../progress.ts';
import type { KeptProof } from '../proof/proof.ts';
import { Reasons } from '../reasons.ts';
import { Report } from '../report.ts';
import { lockImports } from '../staging.ts';
import type { ImportsHandle } from '../tables.ts';
import { keptInWords } from '../undo/built-on.ts';
import { takeBack } from '../undo/take-back.ts';
import * as a from './assistant.queries.ts';
import { Checker } from './checker.ts';
import { type Checked, emptyCells } from './plan.ts';
import { loadOf, PlannedFile } from './planned-file.ts';
import { inUse, unanswered } from './refusals.ts';
import { replacing, takenOf } from './replacing.ts';
import { sourceKey } from './source.ts';

interface Job {
  developerId: string;
  id: string;
  does: 'check' | 'run' | 'undo';
  rest: boolean;
}

export const importJob = jobKind<Job>({
  name: 'import',
  retryLimit: 3,
  retryDelay: 10,
  expireInSeconds: 3600,
  isTakenOver: true,
});

/** An open import and its file are kept for so long after the last change. */
const KEPT_OPEN = 30 * DAY;
/** The most reasons of refused lines in a proof. */
const MOST_REASONS = 20;
/** Longer than the job of one may take. */
const SILENT = 2 * HOUR;

/** Checks a large file, runs an import that was begun, or takes it back. */
export class ImportJob {
  readonly #deps: ImportDependencies;
  readonly #loader: Loader;
  readonly #progress: Progress;
  readonly #file: PlannedFile;
  readonly #checker: Checker;

  constructor(deps: ImportDependencies) {
    this.#deps = deps;
    this.#loader = new Loader(deps);
    this.#progress = new Progress(deps);
    this.#file = new PlannedFile(deps);
    this.#checker = new Checker(deps);
  }

  /** The job of one import. May be called again after a crash: it ends what was begun. */
  async work(job: Job): Promise<void> {
    const { does, rest, ...key } = job;
    const found = await q.findImport(this.#deps.db, key.developerId, key.id);
    const account = await a.findAccount(this.#deps.db, key.developerId);
    // deleted meanwhile
    if (!found || !account) return;
    if (does === 'check' && found.state === 'checking') await this.#check(key, account.timeZone);
    if (does === 'run' && found.state === 'running') await this.#import(key, found, account.timeZone);
    if (does === 'undo' && found.state === 'undoing') await this.#takeBack(key, found, rest);
  }

  async #check(key: q.ImportKey, timeZone: string): Promise<void> {
    const { db, clock } = this.#deps;
    const stored = await a.findPlan(db, key);
    if (!stored) return;
    const work: Work = { lines: 0, report: new Report() };
    const discarded = new AbortController();
    const { signal } = discarded;
    const stop = this.#progress.watch(key, work, async () => {
      if (!(await q.findImport(db, key.developerId, key.id))) discarded.abort();
    });
    let checked: Checked | null = null;
    let error: string | null = null;
    try {
      checked = await this.#checker.check(key, stored, { timeZone, signal, work });
    } catch (failure) {
      if (signal.aborted) return;
      error = causedByFile(failure).message;
    } finally {
      stop();
      await work.report.close();
    }
    await db.work({ tx: true }, async (tx) => {
      if (checked) await a.noteChecked(tx, key, { checked, revision: stored.revision });
      await a.endCheck(tx, key, { error, now: clock.now() });
    });
    if (await q.findImport(db, key.developerId, key.id)) await this.#progress.announce(key);
  }

  async #import(key: q.ImportKey, { kind }: ImportView, timeZone: string): Promise<void> {
    const { db, clock, storage } = this.#deps;
    const stored = await a.findPlan(db, key);
    if (!stored) return;
    const work: Work = { lines: 0, report: new Report() };
    const stop = this.#progress.watch(key, work);
    const reasons = new Reasons();
    const onSettled = async (tx: ImportsHandle, loaded: Loaded) => {
      // nobody has checked the file, or not as it is understood now
      const { unpriced = 0, unpricedCents = 0, undated = 0 } = loaded.tally ?? {};
      const open = emptyCells(stored.plan, { unpriced: { count: unpriced, cents: unpricedCents }, undated });
      if (open.length > 0) throw unanswered(open);
      await a.forgetPeople(tx, key, stored.plan, proofOf(loaded, reasons, timeZone));
    };
    try {
      const onStart = await replacing({ progress: this.#progress, clock }, key, stored.plan);
      await this.#file.with(key, stored.plan, async (file) =>
        this.#loader.load(
          {
            ...loadOf(key, stored.plan, { file, timeZone }),
            dryRun: false,
            onBegin: () => reasons.clear(),
            onRejected: (rejection) => reasons.add(rejection),
            ...(onStart && { onStart }),
            onSettled,
          },
          work,
        ),
      );
      if (stored.plan.replaces) await this.#progress.announce({ ...key, id: stored.plan.replaces });
      if (kind === 'available') await noteRestock(db, key.developerId, clock.now());
      await storage.delete(sourceKey(key.id, stored.format));
    } catch (error) {
      if (error instanceof EndedElsewhere) return;
      const { message } = causedByFile(error);
      await db.work({ tx: true }, (tx) => q.failImport(tx, key, message, clock.now()));
    } finally {
      stop();
      await work.report.close();
    }
    await this.#progress.announce(key);
  }

  async #takeBack(key: q.ImportKey, found: ImportView, rest: boolean): Promise<void> {
    const { db, clock } = this.#deps;
    const account = key.developerId;
    const done = await db.work({ lane: 'bulk', account, tx: true }, async (tx) => {
      const now = clock.now();
      await lockImports(tx, account);
      // another process took it over, and was faster
      if ((await q.findImport(tx, account, key.id))?.state !== 'undoing') return null;
      const result = await takeBack(tx, takenOf(key, found), { rest, now });
      const error = 'kept' in result ? inUse(keptInWords(result.kept, found.kind)).message : null;
      await a.endUndo(tx, key, { to: error === null ? 'undone' : 'complete', error, now });
      return result;
    });
    if (done === null) return;
    if (!('kept' in done) && done.returned > 0) await noteRestock(db, account, clock.now());
    await this.#progress.announce(key);
  }

  /** Deletes imports that were opened and left, and releases those whose process died while they were taken back. */
  async expire(): Promise<void> {
    const { db, clock, storage } = this.#deps;
    await a.releaseSilent(db, new Date(clock.now().getTime() - SILENT));
    for (const { format, ...key } of await a.findAbandoned(db, new Date(clock.now().getTime() - KEPT_OPEN))) {
      if (await db.work({ tx: true }, (tx) => a.deleteDraft(tx, key))) await storage.delete(sourceKey(key.id, format));
    }
  }
}

/** @throws what the file did not cause: it is tried again */
function causedByFile(error: unknown): AppError {
  if (!(error instanceof AppError) || error.status >= 500 || error.code === 'busy') throw error;
  return error;
}

/** The figures of an import that are kept for comparing it later. */
const proofOf = (
  { lines, added, known, rejected, cents, tally }: Loaded,
  reasons: Reasons,
  timeZone: string,
): KeptProof => ({
  ...{ lines, added, known, rejected, cents, file: tally, time_zone: timeZone },
  reasons: reasons.sorted.slice(0, MOST_REASONS).map(({ reason, count }) => ({ reason, count })),
});
