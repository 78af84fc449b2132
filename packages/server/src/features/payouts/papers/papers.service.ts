import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { AppError } from '#platform/errors.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { listPayments } from '../statements/correspondence.queries.ts';
import { isSealed, listPayouts, type Reader, type SealedPayout } from '../statements/payouts.queries.ts';
import type { Statements } from '../statements/statements.service.ts';
import type { PayoutsDb } from '../tables.ts';
import { statementCsv } from './statement-csv.ts';
import { statementPdf } from './statement-pdf.ts';

interface Dependencies {
  db: PayoutsDb;
  exports: Exports;
  statements: Statements;
}

export interface Paper {
  /** The file name without its extension. */
  name: string;
  body: Readable;
}

/** The most statements in one archive. */
const MOST = 500;
/** How often and after how many milliseconds a file of an archive tries again to get its turn. */
const TURN = { tries: 60, pause: 1000 };

/** Statements as files, made from what was frozen at the close: a copy made years later has the same figures. */
export class Papers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async csv(reader: Reader, id: string, signal: AbortSignal): Promise<Paper> {
    const { exports, statements } = this.#deps;
    const payout = await statements.find(reader, id);
    const body = await exports.open(reader.accountId, statementCsv(payout), signal);
    return { name: `statement-${payout.number}`, body };
  }

  async pdf(reader: Reader, id: string): Promise<Paper> {
    const payout = await this.#deps.statements.find(reader, id);
    return { name: `statement-${payout.number}`, body: Readable.from([await this.#pdf(payout)]) };
  }

  /**
   * The CSV and the PDF of every statement of a year. They are made one after the other, as fast as the reader takes them,
   * and hold no database connection in between. A request too many is refused before the first byte; after it a file
   * waits for its turn, because half an archive is worse than a late one.
   * @throws {AppError} domain_rule for more than 500 statements; busy.
   */
  async archive(
    reader: Reader,
    { year, partnershipId }: { year: number; partnershipId: string | undefined },
    signal: AbortSignal,
  ): Promise<Paper> {
    const filter = { status: undefined, year, resellerId: partnershipId, developerId: undefined };
    const { rows: found, total } = await listPayouts(this.#deps.db, reader, filter, null, MOST, true);
    if (total === null || total > MOST) {
      throw new AppError(
        'domain_rule',
        `${year} has ${total} statements, and an archive at most ${MOST}. Choose a reseller with reseller_id.`,
      );
    }
    const rows: SealedPayout[] = [];
    for (const row of found) rows.push(isSealed(row) ? row : await this.#deps.statements.find(reader, row.id));
    const csvOf = (payout: SealedPayout) => this.#deps.exports.open(reader.accountId, statementCsv(payout), signal);
    const [newest] = rows;
    const first = newest && (await csvOf(newest));
    const zip = new ZipFile();
    for (const payout of rows) {
      // two developers may have given the same number
      const folder = reader.side === 'reseller' ? `${payout.developer_id}/` : '';
      const name = `${folder}statement-${payout.number}`;
      const options = { mtime: payout.closed_at, forceDosTimestamp: true };
      zip.addReadStreamLazy(`${name}.csv`, options, (give) => {
        const opened = first && payout === newest ? Promise.resolve(first) : inTurn(() => csvOf(payout), signal);
        opened.then(
          (body) => give(null, body),
          (error) => give(error, Readable.from([])),
        );
      });
      zip.addReadStreamLazy(`${name}.pdf`, options, (give) => {
        this.#pdf(payout).then(
          (pdf) => give(null, Readable.from([pdf])),
          (error) => give(error, Readable.from([])),
        );
      });
    }
    zip.end();
    const body = zip.outputStream as Readable;
    zip.on('error', (error) => body.destroy(error as Error));
    // a reader who leaves may have taken nothing of it
    body.once('close', () => first?.destroy());
    return { name: `statements-${year}`, body };
  }

  async #pdf(payout: SealedPayout): Promise<Buffer> {
    return statementPdf(payout, await listPayments(this.#deps.db, payout));
  }
}

/** Tries again while other large exports keep this one from its turn. @throws whatever else it throws, or when the reader left. */
async function inTurn<T>(open: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === 'busy';
      if (!isBusy || tries === TURN.tries) throw error;
    }
    await pause(TURN.pause, undefined, { signal });
  }
}
