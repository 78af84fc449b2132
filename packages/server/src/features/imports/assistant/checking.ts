import type { CsvRecord } from '#platform/csv/read.ts';
import { toDollars } from '#platform/money.ts';
import { isoIn } from '#platform/time/days.ts';
import { type Column, columnsOf } from '../columns/fields.ts';
import type { SourceTable } from '../columns/source-table.ts';
import type { Rejection } from '../importer.ts';
import type { ImportKind } from '../kinds.ts';
import type { Loaded } from '../loader.ts';
import type { Report } from '../report.ts';
import { type Checked, groupOf, type ReasonGroup } from './plan.ts';

const SHOWN = 50;
const GROUPS = 100;
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
  #groups = new Map<string, ReasonGroup>();
  #refused = new Map<number, string>();

  constructor(kind: ImportKind, timeZone: string, now: Date) {
    this.#kind = kind;
    this.#timeZone = timeZone;
    this.#now = now;
  }

  /** For the load. The file may be read more than once: each time it begins anew. */
  readonly hooks = {
    onBegin: () => {
      this.#rows = [];
      this.#groups = new Map();
      this.#refused = new Map();
    },
    onLine: (table: SourceTable, record: CsvRecord) => {
      if (this.#rows.length < SHOWN) this.#rows.push(this.#row(table, record));
    },
    onRejected: ({ line, reason }: Rejection) => {
      if (this.#refused.size < 10_000) this.#refused.set(line, reason);
      const key = groupOf(reason);
      const group = this.#groups.get(key);
      if (group) group.count += 1;
      else if (this.#groups.size < GROUPS) this.#groups.set(key, { reason: key, count: 1, example: { line, reason } });
    },
  };

  #row(table: SourceTable, record: CsvRecord): Checked['rows'][number] {
    const cells: Record<string, string | number | boolean | null> = {};
    for (const column of columnsOf[this.#kind]) {
      const edge = edges[column];
      if (column === 'Full Name') continue;
      if (edge) {
        const moment = table.moment(record, column, edge);
        cells[column] = moment && isoIn(moment, this.#timeZone);
      } else if (amounts.includes(column)) cells[column] = toDollars(table.amount(record, column));
      else cells[column] = table.cell(record, column) || null;
    }
    return { line: record.line, refused: null, ...cells };
  }

  result({ lines, added, known, rejected, cents }: Loaded, _report: Report): Checked {
    return {
      at: this.#now.toISOString(),
      lines,
      added,
      known,
      rejected,
      reasons: [...this.#groups.values()].sort((one, other) => other.count - one.count),
      rows: this.#rows.map((row) => ({ ...row, refused: this.#refused.get(row.line) ?? null })),
      amount_cents: cents,
      time_zone: this.#timeZone,
    };
  }
}
