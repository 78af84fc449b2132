import type { CsvRecord } from '#platform/csv/read.ts';
import { toDollars } from '#platform/money.ts';
import { isoIn } from '#platform/time/days.ts';
import { type Column, columnsOf } from '../columns/fields.ts';
import type { SourceTable } from '../columns/source-table.ts';
import type { Rejection } from '../importer.ts';
import type { ImportKind } from '../kinds.ts';
import type { Loaded } from '../loader.ts';
import { Reasons } from '../reasons.ts';
import type { Differences } from '../update/difference.ts';
import { type Checked, groupInCheck } from './plan.ts';

const SHOWN = 50;
const amounts: readonly Column[] = ['Total Price', 'Promo Price'];
const edges: Partial<Record<Column, 'start' | 'end'>> = {
  'Purchase Date': 'start',
  'Signup Date': 'start',
  'Active From': 'start',
  'Active To': 'end',
  'Promo Expires': 'end',
};

/** Watches a trial import, and shows what it would be. */
export class Checking {
  readonly #kind: ImportKind;
  readonly #timeZone: string;
  readonly #now: Date;
  #rows: Checked['rows'] = [];
  readonly #reasons = new Reasons(groupInCheck);
  #refused = new Map<number, string>();

  constructor(kind: ImportKind, timeZone: string, now: Date) {
    this.#kind = kind;
    this.#timeZone = timeZone;
    this.#now = now;
  }

  /** Hooks for the load. The file may be read more than once: each time the check begins anew. */
  readonly hooks = {
    onBegin: () => {
      this.#rows = [];
      this.#reasons.clear();
      this.#refused = new Map();
    },
    onLine: (table: SourceTable, record: CsvRecord) => {
      if (this.#rows.length < SHOWN) this.#rows.push(this.#row(table, record));
    },
    onRejected: ({ line, what, reason }: Rejection) => {
      if (this.#refused.size < 10_000) this.#refused.set(line, reason);
      this.#reasons.add({ line, what, reason });
    },
  };

  #row(table: SourceTable, record: CsvRecord): Checked['rows'][number] {
    const cells: Record<string, string | number | boolean | null> = {};
    for (const column of columnsOf[this.#kind]) {
      const edge = edges[column];
      if (column === 'Full Name') continue;
      if (column === 'License Ends') {
        const end = table.licenseEnd(record);
        cells[column] = end && isoIn(end.at, this.#timeZone);
        continue;
      }
      if (edge) {
        const moment = table.moment(record, column, edge);
        cells[column] = moment && isoIn(moment, this.#timeZone);
      } else if (amounts.includes(column)) cells[column] = toDollars(table.amount(record, column));
      else cells[column] = table.cell(record, column) || null;
    }
    return { line: record.line, refused: null, ...cells };
  }

  result({ lines, added, known, rejected, cents, tally }: Loaded, changes: Differences | null): Checked {
    return {
      at: this.#now.toISOString(),
      lines,
      added,
      known,
      rejected,
      reasons: this.#reasons.sorted,
      rows: this.#rows.map((row) => ({ ...row, refused: this.#refused.get(row.line) ?? null })),
      amount_cents: cents,
      ...(tally && { unpriced: { count: tally.unpriced, cents: tally.unpricedCents }, undated: tally.undated }),
      changes,
      time_zone: this.#timeZone,
    };
  }
}
