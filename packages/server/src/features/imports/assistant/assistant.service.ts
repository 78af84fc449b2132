import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { holds, type Principal } from '#platform/access/access.ts';
import { EncodingProbe } from '#platform/csv/dialect.ts';
import { LineGuard } from '#platform/csv/read.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { ImportDependencies } from '../dependencies.ts';
import * as q from '../imports.queries.ts';
import type { ImportView } from '../imports.schemas.ts';
import { readScopes, writeScopes } from '../kinds.ts';
import { reportKey, type Work } from '../loader.ts';
import { Progress } from '../progress.ts';
import { Report } from '../report.ts';
import { keptInWords, keptOf } from '../undo/built-on.ts';
import { whyNotReplaceable } from '../update/replace.ts';
import * as a from './assistant.queries.ts';
import type { ChangeImport, ImportDetail, ImportUndo } from './assistant.schemas.ts';
import { changed, firstPlan } from './change.ts';
import { Checker, isLarge } from './checker.ts';
import { importJob } from './import-job.ts';
import { looksLikeJson } from './json-rows.ts';
import { importsAlike, type Plan, questionsOf } from './plan.ts';
import { viewOf } from './plan-view.ts';
import { PlannedFile } from './planned-file.ts';
import { inUse, notComplete, notOpen, overwritten, unanswered } from './refusals.ts';
import { takenOf } from './replacing.ts';
import { detectSource, sourceKey } from './source.ts';

interface Dependencies extends ImportDependencies {
  jobs: Jobs;
}

/** Moving in, step by step: a file is read, understood, checked, run, and can be taken back. Each step is kept. */
export class Assistant {
  readonly #deps: Dependencies;
  readonly #checker: Checker;
  readonly #progress: Progress;
  readonly #file: PlannedFile;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#checker = new Checker(deps);
    this.#progress = new Progress(deps);
    this.#file = new PlannedFile(deps);
  }

  /**
   * Reads a file and proposes how it is to be understood. Nothing is imported yet.
   * @param order.id the same for a repeat of the same request
   * @throws {AppError} csv_unusable for a file that is no table
   */
  async read(
    caller: Principal,
    order: {
      id: string;
      fileName: string;
      source: Readable;
      signal: AbortSignal;
      onReceived(digest: Buffer): Promise<void>;
    },
  ): Promise<ImportDetail> {
    const { db, clock, spool, storage } = this.#deps;
    const { accountId: developerId } = caller;
    const key = { developerId, id: order.id };
    const received = { guard: new LineGuard(), digest: createHash('sha256'), probe: new EncodingProbe() };
    let lines: boolean | undefined;
    const file = await spool.receive(order.source, developerId, {
      signal: order.signal,
      onChunk(chunk) {
        lines ??= !isPacked(chunk) && !looksLikeJson(chunk.subarray(0, 256).toString('utf8'));
        if (lines) received.guard.check(chunk);
        received.probe.see(chunk);
        received.digest.update(chunk);
      },
    });
    try {
      await order.onReceived(received.digest.digest());
      if (await a.findPlan(db, key)) return await this.#now(caller, order.id);
      const dialect = await detectSource(file, received.probe.encoding);
      const plan = await firstPlan(file, dialect, await a.productNames(db, developerId));
      this.#mayWrite(caller, plan.kind);
      await storage.put(sourceKey(order.id, dialect.format), file.read(), 'application/octet-stream');
      await db.work({ tx: true }, (tx) =>
        a.addImport(tx, key, { fileName: order.fileName, plan, size: file.size, now: clock.now() }),
      );
      return await this.#now(caller, order.id);
    } finally {
      await file.close();
    }
  }

  /** @throws {AppError} not_found; insufficient_scope */
  async get(caller: Principal, id: string): Promise<ImportDetail> {
    const key = { developerId: caller.accountId, id };
    const found = await this.#progress.find(key);
    const scope = readScopes[found.kind];
    if (!holds(caller, scope)) {
      throw new AppError('insufficient_scope', `The access token is missing the scope ${scope}.`);
    }
    return this.#detail(caller, found);
  }

  /** The import for the caller who has just changed it. */
  async #now(caller: Principal, id: string): Promise<ImportDetail> {
    return this.#detail(caller, await this.#progress.find({ developerId: caller.accountId, id }));
  }

  async #detail(caller: Principal, found: ImportView): Promise<ImportDetail> {
    const { db } = this.#deps;
    const stored = await a.findPlan(db, { developerId: caller.accountId, id: found.id });
    const names = stored ? await a.productNames(db, caller.accountId) : [];
    return viewOf(found, stored, { names, people: holds(caller, 'customers:read') });
  }

  /**
   * Changes how a file is understood.
   * @throws {AppError} conflict when somebody else has changed it since, or it has run
   */
  async change(caller: Principal, id: string, form: ChangeImport): Promise<ImportDetail> {
    const { db, clock } = this.#deps;
    const { key, stored } = await this.#planned(caller, id);
    await this.#refuseBegun(key);
    if (form.revision !== undefined && form.revision !== stored.revision) throw overwritten();
    const names = await a.productNames(db, caller.accountId);
    const next = await this.#file.with(key, stored.plan, (file) => changed(stored.plan, form, { file, names }));
    const plan = { ...next, replaces: await this.#replaced(key, { ...stored.plan, kind: next.kind }, form.replaces) };
    this.#mayWrite(caller, plan.kind);
    const kept = await db.work({ tx: true }, (tx) =>
      a.changePlan(tx, key, {
        plan,
        checked: importsAlike(stored.plan, plan) ? stored.checked : null,
        revision: stored.revision,
        now: clock.now(),
      }),
    );
    if (!kept) throw overwritten();
    return this.#now(caller, id);
  }

  /**
   * Tries the whole import and takes it back: what would be added, what is refused and why, and the first rows as they would be. A large
   * file is checked as a job: the answer is then that it is being checked.
   * @throws {AppError} import_unanswered while something has to be settled first
   */
  async check(caller: Principal, id: string, signal: AbortSignal): Promise<ImportDetail> {
    const { db } = this.#deps;
    const { key, stored } = await this.#planned(caller, id);
    // asked again after a lost answer
    if ((await this.#progress.find(key)).state === 'checking') return this.#now(caller, id);
    await this.#refuseBegun(key);
    await this.#refuseUnanswered(caller, { plan: stored.plan, checked: null }, ['price', 'date']);
    if (isLarge(stored)) return this.#begin(caller, key, { does: 'check', to: 'checking' });
    const work: Work = { lines: 0, report: new Report() };
    try {
      const checked = await this.#checker.check(key, stored, { timeZone: caller.timeZone, signal, work });
      await a.noteChecked(db, key, { checked, revision: stored.revision });
    } finally {
      await work.report.close();
    }
    return this.#now(caller, id);
  }

  /**
   * Lets an import begin, as a job. It ends complete with all of its valid lines, or failed with none.
   * @throws {AppError} import_unanswered while something has to be settled first, conflict when it has run or runs
   */
  async run(caller: Principal, id: string): Promise<ImportDetail> {
    const { key, stored } = await this.#planned(caller, id);
    await this.#refuseUnanswered(caller, stored, []);
    return this.#begin(caller, key, { does: 'run', to: 'running' });
  }

  /** @throws {AppError} conflict when it is not open */
  async #begin(
    caller: Principal,
    key: q.ImportKey,
    { does, to }: { does: 'check' | 'run'; to: 'checking' | 'running' },
  ): Promise<ImportDetail> {
    const { db, clock, jobs } = this.#deps;
    const begun = await db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      if (!(await a.enterState(tx, key, { from: ['open', 'failed'], to, now }))) return false;
      await jobs.enqueue(tx, importJob, { ...key, does, rest: false });
      return true;
    });
    if (!begun) throw notOpen(await this.#progress.find(key));
    await this.#progress.announce(key);
    return this.#now(caller, key.id);
  }

  /**
   * Forgets a file that was read, and what was planned with it.
   * @throws {AppError} conflict when it runs, or has run
   */
  async discard(caller: Principal, id: string): Promise<void> {
    const { db, storage } = this.#deps;
    const { key, stored } = await this.#planned(caller, id);
    if (!(await db.work({ tx: true }, (tx) => a.deleteDraft(tx, key)))) throw notOpen(await this.#progress.find(key));
    await storage.delete(sourceKey(id, stored.format));
    await storage.delete(reportKey(id));
  }

  /**
   * Takes an import back, as a job, while nothing was built on what it brought.
   * @throws {AppError} import_in_use when something was, and the rest is not asked for; conflict when it is not complete
   */
  async undo(caller: Principal, id: string, { rest, dryRun }: { rest: boolean; dryRun: boolean }): Promise<ImportUndo> {
    const { db, clock, jobs } = this.#deps;
    const key = { developerId: caller.accountId, id };
    const found = await this.#progress.find(key);
    this.#mayWrite(caller, found.kind);
    if (found.state !== 'complete' || found.dry_run) throw notComplete(found);
    const kept = await keptOf(db, takenOf(key, found));
    if (!dryRun) {
      if (kept.length > 0 && !rest) throw inUse(keptInWords(kept, found.kind));
      const begun = await db.work({ tx: true }, async (tx) => {
        const now = clock.now();
        if (!(await a.enterState(tx, key, { from: ['complete'], to: 'undoing', now }))) return false;
        await jobs.enqueue(tx, importJob, { ...key, does: 'undo', rest });
        return true;
      });
      if (!begun) throw notComplete(await this.#progress.find(key));
      await this.#progress.announce(key);
    }
    const people = holds(caller, 'customers:read');
    return {
      import: await this.#detail(caller, await this.#progress.find(key)),
      kept: found.kind === 'customers' && !people ? kept.map((each) => ({ ...each, examples: [] })) : kept,
    };
  }

  /** The import that a file corrects, if it is one that can be. @throws {AppError} invalid_request */
  async #replaced(key: q.ImportKey, plan: Plan, given: string | null | undefined): Promise<string | null> {
    const id = given === undefined ? (plan.replaces ?? null) : given;
    if (id === null) return null;
    const earlier = await q.findImport(this.#deps.db, key.developerId, id);
    if (!earlier || id === key.id) throw invalidField('replaces', 'There is no such import.');
    const why = whyNotReplaceable(earlier, plan.kind);
    if (why !== null && given === undefined) return null;
    if (why !== null) throw invalidField('replaces', why);
    return id;
  }

  async #planned(caller: Principal, id: string): Promise<{ key: q.ImportKey; stored: a.StoredPlan }> {
    const key = { developerId: caller.accountId, id };
    const stored = await a.findPlan(this.#deps.db, key);
    if (!stored) {
      // one by a single call has no plan, and is there
      throw notOpen(await this.#progress.find(key));
    }
    this.#mayWrite(caller, stored.plan.kind);
    return { key, stored };
  }

  async #refuseBegun(key: q.ImportKey): Promise<void> {
    const found = await this.#progress.find(key);
    if (found.state !== 'open' && found.state !== 'failed') throw notOpen(found);
  }

  #mayWrite(caller: Principal, kind: ImportView['kind']): void {
    const scope = writeScopes[kind];
    if (!holds(caller, scope))
      throw new AppError('insufficient_scope', `The access token is missing the scope ${scope}.`);
  }

  /** @param late questions that need not be answered yet */
  async #refuseUnanswered(
    caller: Principal,
    { plan, checked }: Pick<a.StoredPlan, 'plan' | 'checked'>,
    late: readonly string[],
  ): Promise<void> {
    const names = await a.productNames(this.#deps.db, caller.accountId);
    const open = questionsOf(plan, { productNames: names, checked }).filter(({ id }) => !late.includes(id));
    if (open.length === 0) return;
    throw unanswered(open);
  }
}

/** ZIP archives, of which workbooks are made, have no lines. */
const isPacked = (chunk: Buffer) => chunk[0] === 0x50 && chunk[1] === 0x4b && chunk[2] === 0x03 && chunk[3] === 0x04;
