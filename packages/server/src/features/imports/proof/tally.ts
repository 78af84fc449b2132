import type { Cents } from '#platform/money.ts';
import { isoIn } from '#platform/time/days.ts';
import { shortMonth } from '#platform/time/months.ts';

/** Sales of one month. */
export interface MonthOfFile {
  /** `2026-01`, on the account’s clock. */
  month: string;
  count: number;
  cents: Cents;
}

/** The sales in a file, whether they are imported or not. */
export interface FileTally {
  /** Months of lines whose price and date can be read. */
  months: MonthOfFile[];
  /** Lines among them without a price: what the product costs was taken. */
  unpriced: number;
  /** The sum of those. */
  unpricedCents: Cents;
  /** Lines among them without a date: the moment of the import was taken. */
  undated: number;
}

const QUARTER = 15 * 60_000;
const MOST_KNOWN = 50_000;

/** Adds up the sales of a file while it is read, by month. */
export class Tally {
  readonly #timeZone: string;
  readonly #months = new Map<string, MonthOfFile>();
  /** No zone changes its clock within a quarter of an hour, and files repeat their days. */
  #known = new Map<number, string>();
  #unpriced = 0;
  #unpricedCents = 0;
  #undated = 0;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  add(at: Date, cents: Cents, { priced, dated }: { priced: boolean; dated: boolean }): void {
    const month = this.#monthOf(at);
    const sum = this.#months.get(month);
    if (sum) {
      sum.count += 1;
      sum.cents += cents;
    } else this.#months.set(month, { month, count: 1, cents });
    if (!dated) this.#undated += 1;
    if (priced) return;
    this.#unpriced += 1;
    this.#unpricedCents += cents;
  }

  #monthOf(at: Date): string {
    const quarter = Math.floor(at.getTime() / QUARTER);
    const known = this.#known.get(quarter);
    if (known !== undefined) return known;
    const month = shortMonth(isoIn(at, this.#timeZone));
    if (this.#known.size >= MOST_KNOWN) this.#known = new Map();
    this.#known.set(quarter, month);
    return month;
  }

  get result(): FileTally {
    const months = [...this.#months.values()].sort((one, other) => one.month.localeCompare(other.month));
    return { months, unpriced: this.#unpriced, unpricedCents: this.#unpricedCents, undated: this.#undated };
  }
}
