import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { noteRestock } from '#features/serials';
import { holds, type Principal } from '#platform/access/access.ts';
import { MINUTE } from '#platform/clock.ts';
import type { Dialect } from '#platform/csv/dialect.ts';
import { LineGuard, openCsv } from '#platform/csv/read.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { linesWithoutAddresses, withoutAddresses } from './addresses.ts';
import { findPlan } from './assistant/assistant.queries.ts';
import type { ColumnReader, Ways } from './columns/reading.ts';
import { headsOf, SourceTable } from './columns/source-table.ts';
import type { ImportDependencies } from './dependencies.ts';
import * as q from './imports.queries.ts';
import type { ImportAnswer, ImportView } from './imports.schemas.ts';
import { type ImportKind, importKinds, readScopes } from './kinds.ts';
import { type Loaded, Loader, reportKey, type Work } from './loader.ts';
import { Progress } from './progress.ts';
import { Report, warningsOf } from './report.ts';

interface Order {
  /**
   * The import's id: the same for a repeat of the same request, which then finds the import instead of creating
   * another.
   */
  id: string;
  kind: ImportKind;
  fileName: string;
  source: Readable;
  dryRun: boolean;
  /** What the caller specifies about the file, where it could be read in two ways. */
  hints: Partial<Dialect & Ways>;
  /** Aborts when the sender disconnects: then nothing of the file is kept. */
  signal: AbortSignal;
  /** Called with the SHA-256 of the file before it is processed. If it throws, the import ends. */
  onReceived(digest: Buffer): Promise<void>;
  /** Called twice a second while the import runs. */
  onBeat(): Promise<void>;
}

/** An import without progress for this long died with its process. */
const SILENT = 10 * MINUTE;

/** Streams files of serials and customers in: all valid lines of a file, or none if it breaks off. */
export class Imports {
  readonly #deps: ImportDependencies;
  readonly #loader: Loader;
  readonly #progress: Progress;

  constructor(deps: ImportDependencies) {
    this.#deps = deps;
    this.#loader = new Loader(deps);
    this.#progress = new Progress(deps);
  }

  /**
   * Imports one file in one transaction, after all of it has arrived. Invalid lines are reported and left out.
   * @throws {AppError} csv_unusable when the file as a whole cannot be read, busy (429) when too many imports run or
   * wait; then nothing was imported.
   */
  async run(caller: Principal, order: Order): Promise<ImportAnswer> {
    const { db, clock } = this.#deps;
    const key = { developerId: caller.accountId, id: order.id };
    const begun = await q.startImport(db, { developerId: caller.accountId, ...order, now: clock.now() });
    if (!begun) return this.#madeBefore(caller, order);
    const work: Work = { lines: 0, report: new Report() };
    const stop = this.#progress.watch(key, work, () => order.onBeat());
    try {
      const settled = await this.#received(caller, order, work);
      stop();
      if (order.dryRun) await q.finishImport(db, key, settled, clock.now());
      if (!order.dryRun && order.kind === 'available') await noteRestock(db, caller.accountId, clock.now());
      return answerOf(await this.#progress.announce(key), work.report.warnings);
    } catch (error) {
      stop();
      const reason = order.signal.aborted
        ? 'The upload was interrupted. Nothing was imported.'
        : error instanceof AppError
          ? error.message
          : 'The server failed. Nothing was imported.';
      await db.work({ tx: true }, (tx) => q.failImport(tx, key, reason, clock.now())).catch(() => undefined);
      await this.#progress.announce(key).catch(() => undefined);
      throw error;
    } finally {
      stop();
      await work.report.close();
    }
  }

  /** Receives the whole file before taking a connection for it, however slowly it arrives. */
  async #received(caller: Principal, order: Order, work: Work): Promise<Loaded> {
    const { spool } = this.#deps;
    const guard = new LineGuard();
    const digest = createHash('sha256');
    const { source, signal } = order;
    const onChunk = (chunk: Buffer) => {
      guard.check(chunk);
      digest.update(chunk);
    };
    const file = await spool.receive(source, caller.accountId, { signal, onChunk });
    try {
      await order.onReceived(digest.digest());
      const { decimal, date_order, ...dialect } = order.hints;
      const { accountId: developerId, timeZone } = caller;
      const { id, kind, dryRun } = order;
      const open = async (reader: ColumnReader) => {
        const csv = await openCsv(file.read(), dialect);
        const { places, unused } = headsOf(csv.head, kind);
        return { table: new SourceTable({ file: csv, places, reader, timeZone }), unused };
      };
      const ways = { ...(decimal && { decimal }), ...(date_order && { date_order }) };
      return await this.#loader.load({ developerId, id, kind, timeZone, dryRun, ways, signal, open }, work);
    } finally {
      await file.close();
    }
  }

  /** The import that the same request has already made, if its response was lost with its process. */
  async #madeBefore(caller: Principal, order: Order): Promise<ImportAnswer> {
    await order.onReceived(await digestOf(order.source));
    const view = await this.#progress.find({ developerId: caller.accountId, id: order.id });
    const report = view.rejected > 0 ? await this.#deps.storage.get(reportKey(order.id)) : null;
    return answerOf(view, report ? await warningsOf(report.stream) : []);
  }

  /** The imports of those kinds that the caller may read. */
  async list(caller: Principal, query: { limit: number; cursor?: string | undefined }) {
    const rows = await q.listImports(this.#deps.db, {
      developerId: caller.accountId,
      kinds: importKinds.filter((kind) => holds(caller, readScopes[kind])),
      after: decodeIdCursor(query.cursor),
      limit: query.limit + 1,
    });
    const page = pageOf(rows, query.limit);
    return { ...page, rows: page.rows.map((row) => shownTo(caller, row)) };
  }

  async #readable(caller: Principal, id: string): Promise<ImportView> {
    const found = await this.#progress.find({ developerId: caller.accountId, id });
    const scope = readScopes[found.kind];
    if (!holds(caller, scope)) {
      throw new AppError('insufficient_scope', `The access token is missing the scope ${scope}.`);
    }
    return found;
  }

  /**
   * The rejected lines as CSV. Those of serials can quote addresses, which are left out unless the caller may read
   * them; the size is unknown then.
   * @throws {AppError} not_found when there were none; insufficient_scope
   */
  async report(caller: Principal, id: string): Promise<{ stream: Readable; size: number | null }> {
    const found = await this.#readable(caller, id);
    const report = (await this.#refused(caller, found)) > 0 ? await this.#deps.storage.get(reportKey(id)) : null;
    if (!report) throw notFound('Report');
    if (holds(caller, 'customers:read')) return report;
    return { stream: linesWithoutAddresses(report.stream), size: null };
  }

  /** Lines that were refused, or would be, as the last check has found. */
  async #refused({ accountId: developerId }: Principal, { id, state, rejected }: ImportView): Promise<number> {
    if (state !== 'open') return rejected;
    return (await findPlan(this.#deps.db, { developerId, id }))?.checked?.rejected ?? 0;
  }

  /** Marks imports that died with their process as failed. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const before = new Date(now.getTime() - SILENT);
    for (const key of await q.findSilent(db, before)) await q.failSilent(db, key, { before, now });
  }
}

/** An import as the caller may see it. */
export function shownTo(caller: Principal, view: ImportView): ImportView {
  if (holds(caller, 'customers:read')) return view;
  // the first line of a file without heads can be a person
  const unused_columns = view.unused_columns.map(withoutAddresses);
  return { ...view, unused_columns, error: view.error && withoutAddresses(view.error) };
}

function answerOf(view: ImportView, warnings: ImportAnswer['warnings']): ImportAnswer {
  return {
    success: true,
    message: view.rejected > 0 ? 'Import completed with warnings' : 'Import complete',
    import_id: view.id,
    count: view.count,
    known: view.known,
    lines: view.lines,
    rejected: view.rejected,
    dry_run: view.dry_run,
    unused_columns: view.unused_columns,
    warnings: warnings.sort((a, b) => a.line - b.line),
  };
}

/** The SHA-256 of everything that passes through. */
export async function digestOf(source: Readable): Promise<Buffer> {
  const digest = createHash('sha256');
  for await (const chunk of source) digest.update(chunk as Buffer);
  return digest.digest();
}
