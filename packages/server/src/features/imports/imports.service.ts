import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Partnerships } from '#features/partnerships';
import { noteRestock } from '#features/serials';
import { holds, type Principal } from '#platform/access/access.ts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { type CsvTable, LineGuard, readCsv } from '#platform/csv/read.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { copyIn } from '#platform/db/statements/copy.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Random } from '#platform/random.ts';
import type { Spool } from '#platform/spool/spool.ts';
import type { Storage } from '#platform/storage/storage.ts';
import { linesWithoutAddresses, withoutAddresses } from './addresses.ts';
import { availableImport } from './available.ts';
import { CellError } from './cells.ts';
import { customersImport } from './customers.ts';
import { Dates } from './dates.ts';
import type { Importer, Settled } from './importer.ts';
import * as q from './imports.queries.ts';
import type { ImportAnswer, ImportEvent, ImportView } from './imports.schemas.ts';
import { type ImportKind, importKinds, readScopes } from './kinds.ts';
import { ProductsByName } from './products-by-name.ts';
import { redeemedImport } from './redeemed.ts';
import { Report, warningsOf } from './report.ts';
import { eachRejected, lockAccount, REJECTED } from './staging.ts';
import type { ImportsDb, ImportsHandle } from './tables.ts';

interface Dependencies {
  db: ImportsDb;
  clock: Clock;
  random: Random;
  events: Publisher<ImportEvent>;
  spool: Spool;
  storage: Storage;
  partnerships: Partnerships;
}

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
  /** Aborts when the sender disconnects: then nothing of the file is kept. */
  signal: AbortSignal;
  /** Called with the SHA-256 of the file before it is processed. If it throws, the import ends. */
  onReceived(digest: Buffer): Promise<void>;
  /** Called twice a second while the import runs. */
  onBeat(): Promise<void>;
}

interface Counts {
  lines: number;
  rejected: number;
}

/** The progress of an import. */
interface Work {
  lines: number;
  report: Report;
}

/** Staged rows travel in chunks of about this many characters. */
const CHUNK = 64 * 1024;
const PROGRESS_MS = 500;
/** An import without progress for this long died with its process. */
const SILENT = 10 * MINUTE;

/** Streams files of serials and customers in: all valid lines of a file, or none if it breaks off. */
export class Imports {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Imports one file in one transaction, after all of it has arrived. Invalid lines are reported and left out.
   * @throws {AppError} csv_unusable when the file as a whole cannot be read, busy (429) when too many imports run or
   * wait; then nothing was imported.
   */
  async run(caller: Principal, order: Order): Promise<ImportAnswer> {
    const { db, clock } = this.#deps;
    const { id } = order;
    const begun = await q.startImport(db, { developerId: caller.accountId, ...order, now: clock.now() });
    if (!begun) return this.#madeBefore(caller, order);
    const work: Work = { lines: 0, report: new Report() };
    const beat = setInterval(() => {
      Promise.all([order.onBeat(), this.#tell(caller, order, work)]).catch(() => undefined);
    }, PROGRESS_MS);
    try {
      const settled = await this.#received(caller, order, work);
      clearInterval(beat);
      if (order.dryRun) await q.finishImport(db, { developerId: caller.accountId, id }, settled, clock.now());
      if (!order.dryRun && order.kind === 'available') await noteRestock(db, caller.accountId, clock.now());
      const found = await this.#find(caller.accountId, id);
      await this.#announce(caller.accountId, found);
      return answerOf(found, work.report.warnings);
    } catch (error) {
      clearInterval(beat);
      const reason = order.signal.aborted
        ? 'The upload was interrupted. Nothing was imported.'
        : error instanceof AppError
          ? error.message
          : 'The server failed. Nothing was imported.';
      const failed = { developerId: caller.accountId, id };
      await db.work({ tx: true }, (tx) => q.failImport(tx, failed, reason, clock.now())).catch(() => undefined);
      await this.#find(caller.accountId, id)
        .then((found) => this.#announce(caller.accountId, found))
        .catch(() => undefined);
      throw error;
    } finally {
      clearInterval(beat);
      await work.report.close();
    }
  }

  /** Receives the whole file before taking a connection for it, however slowly it arrives. */
  async #received(caller: Principal, order: Order, work: Work): Promise<Settled & Counts> {
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
      return await this.#load(caller, order, work, () => file.read());
    } finally {
      await file.close();
    }
  }

  /** What the same request has already imported, if its response was lost with its process. */
  async #madeBefore(caller: Principal, order: Order): Promise<ImportAnswer> {
    await order.onReceived(await digestOf(order.source));
    const view = await this.#find(caller.accountId, order.id);
    const report = view.rejected > 0 ? await this.#deps.storage.get(reportKey(order.id)) : null;
    return answerOf(view, report ? await warningsOf(report.stream) : []);
  }

  /** In one transaction, which is repeated after a conflict with another one. */
  async #load(caller: Principal, order: Order, work: Work, read: () => Readable): Promise<Settled & Counts> {
    const { db } = this.#deps;
    const { dryRun, signal } = order;
    let settled = { added: 0, known: 0, lines: 0, rejected: 0 };
    await dryRunnable(dryRun, (end) =>
      db.work({ lane: 'bulk', account: caller.accountId, tx: true, signal }, async (tx) => {
        await work.report.close();
        Object.assign(work, { lines: 0, report: new Report() });
        settled = await this.#settle(tx, caller, { ...order, source: read() }, work);
        end();
      }),
    );
    return settled;
  }

  async #settle(tx: ImportsHandle, caller: Principal, order: Order, work: Work): Promise<Settled & Counts> {
    const { clock, storage } = this.#deps;
    const { report } = work;
    const importer = await this.#importer(tx, caller, order.kind);
    const table = await readCsv(order.source, importer.required);
    await importer.stage.execute(tx);
    await copyIn(tx.client as pg.ClientBase, importer.copy, stagedRows(importer, table, work), order.signal);
    // two files at once must have the same effect as one after the other
    await sql`select pg_advisory_xact_lock(hashtextextended(${caller.accountId}, 2))`.execute(tx);
    await sql`analyze staged`.execute(tx);
    await REJECTED.execute(tx);
    await lockAccount(tx, caller.accountId);
    const { added, known } = await importer.settle(tx);
    await eachRejected(tx, (rejection) => report.add(rejection));
    const settled = { added, known, lines: work.lines, rejected: report.count };
    // reported before the commit: a failure after it would be reported as if nothing had been imported
    await report.keep(storage, reportKey(order.id));
    await q.finishImport(tx, { developerId: caller.accountId, id: order.id }, settled, clock.now());
    return settled;
  }

  async #importer(tx: ImportsHandle, caller: Principal, kind: ImportKind): Promise<Importer> {
    const { clock, random, partnerships } = this.#deps;
    const context = { developerId: caller.accountId, now: clock.now(), random, dates: new Dates(caller.timeZone) };
    if (kind === 'customers') return customersImport(context);
    const products = await ProductsByName.read(tx, caller.accountId);
    return kind === 'available'
      ? availableImport({ ...context, products })
      : redeemedImport({ ...context, products, partnerships });
  }

  async #tell({ accountId }: Principal, { id }: Order, { lines, report }: Work): Promise<void> {
    const { db, clock } = this.#deps;
    await q.noteProgress(db, { developerId: accountId, id }, { lines, rejected: report.count, now: clock.now() });
    const found = await this.#find(accountId, id);
    if (found.state === 'running') await this.#announce(accountId, found);
  }

  async #announce(accountId: string, { file_name: _, error, ...found }: ImportView): Promise<void> {
    const data = { ...found, error: error && withoutAddresses(error) };
    await this.#deps.events.publish(this.#deps.db, accountId, { type: 'import', data });
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

  /** @throws {AppError} not_found; insufficient_scope for an access token that may not read about this kind. */
  async get(caller: Principal, id: string): Promise<ImportView> {
    const found = await this.#find(caller.accountId, id);
    const scope = readScopes[found.kind];
    if (!holds(caller, scope)) {
      throw new AppError('insufficient_scope', `The access token is missing the scope ${scope}.`);
    }
    return shownTo(caller, found);
  }

  async #find(developerId: string, id: string): Promise<ImportView> {
    const found = await q.findImport(this.#deps.db, developerId, id);
    if (!found) throw notFound('Import');
    return found;
  }

  /**
   * The rejected lines as CSV. Those of serials can quote addresses, which are left out unless the caller may read
   * them; the size is unknown then.
   * @throws {AppError} not_found when there were none; insufficient_scope
   */
  async report(caller: Principal, id: string): Promise<{ stream: Readable; size: number | null }> {
    const found = await this.get(caller, id);
    const report = found.rejected > 0 ? await this.#deps.storage.get(reportKey(id)) : null;
    if (!report) throw notFound('Report');
    if (holds(caller, 'customers:read')) return report;
    return { stream: linesWithoutAddresses(report.stream), size: null };
  }

  /** Marks imports that died with their process as failed. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const before = new Date(now.getTime() - SILENT);
    for (const key of await q.findSilent(db, before)) await q.failSilent(db, key, { before, now });
  }
}

/** The lines of a file as COPY text. Those that cannot be taken are reported. */
async function* stagedRows(importer: Importer, table: CsvTable, work: Work): AsyncGenerator<Buffer> {
  let chunk = '';
  for await (const record of table.records) {
    work.lines += 1;
    try {
      chunk += importer.row(table, record);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      await work.report.add({ line: record.line, what: importer.nameOf(table, record), reason: error.message });
    }
    if (chunk.length > CHUNK) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

function reportKey(id: string): string {
  return `reports/${id}.csv`;
}

function shownTo(caller: Principal, view: ImportView): ImportView {
  if (view.error === null || holds(caller, 'customers:read')) return view;
  return { ...view, error: withoutAddresses(view.error) };
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
    warnings: warnings.sort((a, b) => a.line - b.line),
  };
}

/** The SHA-256 of everything that passes through. */
export async function digestOf(source: Readable): Promise<Buffer> {
  const digest = createHash('sha256');
  for await (const chunk of source) digest.update(chunk as Buffer);
  return digest.digest();
}
