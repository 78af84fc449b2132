import type { Readable } from 'node:stream';
import type { Exports } from '../../../platform/spool/exports.ts';
import type { Reader } from '../statements/payouts.queries.ts';
import type { Statements } from '../statements/statements.service.ts';
import { statementCsv } from './statement-csv.ts';

interface Dependencies {
  exports: Exports;
  statements: Statements;
}

export interface Paper {
  name: string;
  body: Readable;
}

/** Statements as files, made from what was frozen at the close: a copy made years later is the same. */
export class Papers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async csv(reader: Reader, id: string, signal: AbortSignal): Promise<Paper> {
    const { exports, statements } = this.#deps;
    const payout = await statements.find(reader, id);
    const body = await exports.open(reader.userId, statementCsv(payout), signal);
    return { name: `statement-${payout.number}`, body };
  }
}
