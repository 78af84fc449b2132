import { sql } from 'kysely';
import type pg from 'pg';
import type { Partnerships } from '#features/partnerships';
import type { Clock } from '#platform/clock.ts';
import type { CsvRecord } from '#platform/csv/read.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import { copyIn } from '#platform/db/statements/copy.ts';
import { AppError } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { Storage } from '#platform/storage/storage.ts';
import type { EndsAnswer } from './assistant/plan.ts';
import { ColumnReader, ReadAgain, UnclearColumn, type Ways } from './columns/reading.ts';
import type { SourceTable } from './columns/source-table.ts';
import type { Importer, Rejection, Settled } from './importer.ts';
import * as q from './imports.queries.ts';
import { availableImport } from './kinds/available.ts';
import { CellError } from './kinds/cell-error.ts';
import { customersImport } from './kinds/customers.ts';
import { ProductsByName } from './kinds/products-by-name.ts';
import { redeemedImport } from './kinds/redeemed.ts';
import type { ImportKind } from './kinds.ts';
import { Report } from './report.ts';
import { eachRejected, lockAccount, lockImports, REJECTED } from './staging.ts';
import type { ImportsDb, ImportsHandle } from './tables.ts';

interface Dependencies {
  db: ImportsDb;
  clock: Clock;
  random: Random;
  storage: Storage;
  partnerships: Partnerships;
}

/** The progress of an import. */
export interface Work {
  lines: number;
  report: Report;
}

/** One import, once its file has arrived. */
export interface Load {
  developerId: string;
  id: string;
  kind: ImportKind;
  dryRun: boolean;
  /** What the caller specified about columns that can be read in two ways. */
  ways: Partial<Ways>;
  /** The account's time zone. */
  timeZone: string;
  /** Whether licenses that have ended are revoked. */
  ends?: EndsAnswer;
  /** Stops it; nothing is kept. */
  signal?: AbortSignal;
  /** Opens the file from its beginning; more than once, when it has to be read again. */
  open(reader: ColumnReader): Promise<Opened>;
  /** The file is read from its beginning, perhaps once more. */
  onBegin?(): void;
  /** Sees every line that can be taken as far as the line itself shows. */
  onLine?(table: SourceTable, record: CsvRecord): void;
  onRejected?(rejection: Rejection): void;
  /** Called in the transaction, before anything else. */
  onStart?(tx: ImportsHandle): Promise<void>;
  /** Called in the transaction, after everything else. With it, a dry run writes all rows, too. */
  onSettled?(tx: ImportsHandle, loaded: Loaded): Promise<void>;
}

export interface Opened {
  table: SourceTable;
  /** Heads of columns that nothing is done with. */
  unused: readonly string[];
}

export interface Loaded extends Settled {
  lines: number;
  rejected: number;
  unused: readonly string[];
}

/** Staged rows travel in chunks of about this many characters. */
const CHUNK = 64 * 1024;
/** A column that turns out otherwise costs one more reading; no file has more such columns. */
const MOST_READINGS = 10;

export function reportKey(id: string): string {
  return `reports/${id}.csv`;
}

/** The import has ended meanwhile, by another process. Nothing of this one is kept. */
export class EndedElsewhere extends Error {
  constructor() {
    super('the import was ended by another process');
  }
}

/** Brings a file into the database: all of its valid lines, or none. */
export class Loader {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Loads a file in one transaction, which is repeated after a conflict with another one, and when a column turns out
   * to be read otherwise. Invalid lines are left out and reported; the import is marked as complete with the rest,
   * unless it is a dry run.
   * @throws {AppError} csv_unusable when the file as a whole cannot be read, or a column can be in two ways
   */
  async load(load: Load, work: Work): Promise<Loaded> {
    let known: ReadonlyMap<string, string> = new Map();
    for (let reading = 1; ; reading += 1) {
      try {
        return await this.#once(load, work, new ColumnReader(load.ways, known));
      } catch (error) {
        if (error instanceof UnclearColumn) {
          const { settles } = error.unclear;
          throw new AppError('csv_unusable', error.message, { errors: [{ path: settles, message: error.message }] });
        }
        if (!(error instanceof ReadAgain) || reading === MOST_READINGS) throw error;
        known = error.ways;
      }
    }
  }

  async #once(load: Load, work: Work, reader: ColumnReader): Promise<Loaded> {
    const { db } = this.#deps;
    const { dryRun, signal, developerId: account } = load;
    let loaded: Loaded | undefined;
    await dryRunnable(dryRun, (end) =>
      db.work({ lane: 'bulk', account, tx: true, signal }, async (tx) => {
        await work.report.close();
        Object.assign(work, { lines: 0, report: new Report(load.onRejected) });
        load.onBegin?.();
        await load.onStart?.(tx);
        loaded = await this.#settle(tx, load, work, reader);
        end();
      }),
    );
    return loaded as Loaded;
  }

  async #settle(tx: ImportsHandle, load: Load, work: Work, reader: ColumnReader): Promise<Loaded> {
    const { clock, storage } = this.#deps;
    const { report } = work;
    const { developerId, id } = load;
    const importer = await this.#importer(tx, load);
    const { table, unused } = await load.open(reader);
    await importer.stage.execute(tx);
    const rows = stagedRows(importer, table, work, { reader, onLine: load.onLine });
    await copyIn(tx.client as pg.ClientBase, importer.copy, rows, load.signal);
    // two files at once must have the same effect as one after the other
    await lockImports(tx, developerId);
    // another process took it over, and was faster
    if (await q.isOver(tx, { developerId, id })) throw new EndedElsewhere();
    await sql`analyze staged`.execute(tx);
    await REJECTED.execute(tx);
    await lockAccount(tx, developerId);
    const settled = await importer.settle(tx, load.dryRun && !load.onSettled);
    await eachRejected(tx, (rejection) => report.add(rejection));
    const loaded = { ...settled, lines: work.lines, rejected: report.count, unused };
    // reported before the commit: a failure after it would be reported as if nothing had been imported
    await report.keep(storage, reportKey(id));
    await q.finishImport(tx, { developerId, id }, loaded, clock.now());
    await load.onSettled?.(tx, loaded);
    return loaded;
  }

  async #importer(
    tx: ImportsHandle,
    { developerId, id: importId, kind, timeZone, ends = 'ignore' }: Load,
  ): Promise<Importer> {
    const { clock, random, partnerships } = this.#deps;
    const context = { developerId, importId, now: clock.now(), random };
    if (kind === 'customers') return customersImport(context);
    const products = await ProductsByName.read(tx, developerId);
    return kind === 'available'
      ? availableImport({ ...context, products, ends })
      : redeemedImport({ ...context, products, partnerships, ends, timeZone });
  }
}

/** The lines of a file as COPY text. Those that cannot be taken are reported. */
async function* stagedRows(
  importer: Importer,
  table: SourceTable,
  work: Work,
  { reader, onLine }: { reader: ColumnReader; onLine: Load['onLine'] },
): AsyncGenerator<Buffer> {
  let chunk = '';
  for await (const record of table.records) {
    work.lines += 1;
    try {
      table.check(record);
      chunk += importer.row(table, record);
      onLine?.(table, record);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      await work.report.add({ line: record.line, what: importer.nameOf(table, record), reason: error.message });
    }
    if (chunk.length > CHUNK) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  reader.finish();
  if (chunk !== '') yield Buffer.from(chunk);
}
