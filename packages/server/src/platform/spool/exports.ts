import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { Database } from '../db/database.ts';
import { copyOut } from '../db/statements/copy.ts';
import type { Spool } from './spool.ts';
import type { SpoolFile } from './spool-file.ts';

export interface Export {
  /** One SELECT. COPY takes no parameters, so the driver quotes the values into its text. */
  query: string;
  /** Whose query it is; see `Statement`. */
  feature?: string;
  /** `csv`: columns become cells. `lines`: the one column is a line already, as it is. */
  format: 'csv' | 'lines';
  /** Text before the first row. */
  header?: string;
  /**
   * Default `\n`, which the database writes. With `\r\n`, cells that may hold line breaks go through {@link
   * innerBreaks}.
   */
  lineEnd?: '\r\n';
  /** On whose clock moments are written; see `csvMoment`. */
  timeZone?: string;
  /** Planner settings, where a plan must not depend on statistics that may be stale. */
  settings?: Record<string, string>;
}

/** Bytes per write to the disk. */
const PIECE = 128 * 1024;

/**
 * A line break inside a cell: its first half makes PostgreSQL quote the cell, both together are `\n` again in the end.
 */
const INNER = '\r\x1e';

/** A column whose line breaks must not be mistaken for row ends. */
export function innerBreaks(column: string): string {
  return `replace(${column}, E'\\n', E'\\r\\x1e')`;
}

/** No text holds these, so that PostgreSQL finds nothing to quote. */
const AS_IT_IS = "(format csv, quote E'\\x01', delimiter E'\\x02')";

/** Answers that the database writes by COPY, at its own speed, for readers of any speed. */
export class Exports {
  readonly #db: Database;
  readonly #spool: Spool;

  constructor(deps: { db: Database; spool: Spool }) {
    this.#db = deps.db;
    this.#spool = deps.spool;
  }

  /**
   * Starts an export and answers what it has, as it comes. The connection is given back when the database is done,
   * whether or not anybody has read so far; a reader that leaves stops the statement.
   * @param order what to export; as a function, it runs when the export's turn has come.
   * @param signal aborts while the export waits for its turn.
   * @throws {AppError} busy (429) when too many exports run or wait.
   */
  async open(account: string, order: Export | (() => Promise<Export>), signal: AbortSignal): Promise<Readable> {
    const file = await this.#spool.create(account);
    const leaving = new AbortController();
    const left = AbortSignal.any([signal, leaving.signal]);
    const write = async (_: unknown, alone: boolean) =>
      this.#write(typeof order === 'function' ? await order() : order, file, alone, leaving, left);
    const writing = this.#db.work({ lane: 'bulk', account, signal: left }, write).then(
      () => file.finish(),
      (error) => file.fail(error),
    );
    try {
      await file.begun();
    } catch (error) {
      await file.close();
      throw error;
    }
    const reader = file.read();
    reader.once('close', () => {
      leaving.abort();
      writing.finally(() => file.close()).catch(() => undefined);
    });
    return reader;
  }

  async #write(
    order: Export,
    file: SpoolFile,
    alone: boolean,
    leaving: AbortController,
    signal: AbortSignal,
  ): Promise<void> {
    const { query, feature, format, header, lineEnd, timeZone, settings } = order;
    // a second processor for one export is welcome, for three of them it is the plugins'
    const clock: Record<string, string> = timeZone === undefined ? {} : { timezone: timeZone };
    const planner = { ...clock, ...settings, max_parallel_workers_per_gather: alone ? '2' : '0' };
    await this.#db.work({ tx: true, once: true, signal, everywhere: planner }, async (tx) => {
      const statement = `copy (${query}) to stdout ${format === 'csv' ? '(format csv)' : AS_IT_IS}`;
      const rows = copyOut(tx.client as pg.ClientBase, statement, feature);
      try {
        await writeAll(file, header, lineEnd ? withLineEnds(rows) : rows);
      } catch (error) {
        // when the spool is full, nothing reads on: stop the statement instead of keeping its connection until it times
        // out
        leaving.abort(error);
        throw error;
      }
    });
  }
}

/**
 * Collects the database's chunks of eight kilobytes into larger writes. All pieces share one buffer, because a new one
 * for each would keep the garbage collector busy.
 */
async function writeAll(file: SpoolFile, header: string | undefined, rows: AsyncIterable<Buffer>): Promise<void> {
  const piece = Buffer.allocUnsafe(PIECE);
  let used = header ? piece.write(header) : 0;
  for await (const chunk of rows) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(piece, used, at);
      at += copied;
      used += copied;
      if (used < PIECE) continue;
      await file.write(piece);
      used = 0;
    }
  }
  if (used > 0) await file.write(piece.subarray(0, used));
}

async function* withLineEnds(rows: Readable): AsyncGenerator<Buffer> {
  let held = '';
  for await (const chunk of rows) {
    // byte by byte, so that no character is split
    let text = held + (chunk as Buffer).toString('latin1');
    // the other half of a break may come with the next chunk
    held = text.endsWith('\r') ? '\r' : '';
    if (held) text = text.slice(0, -1);
    text = text.replaceAll('\n', '\r\n');
    yield Buffer.from(text.includes(INNER) ? text.replaceAll(INNER, '\n') : text, 'latin1');
  }
}
