import { type DecimalSign, decimalSignOf, decimalSigns } from './amounts.ts';
import { type DayOrder, dayOrderOf, dayOrders } from './moments.ts';

/** How a column is to be read, as far as all of its cells together show. */
export type Verdict<Way> =
  | { is: 'clear'; way: Way }
  /** Every cell means the same either way. */
  | { is: 'open' }
  /** No cell decides, and this one depends on it. */
  | { is: 'ambiguous'; example: string }
  /** Some cells are written in one way and some in the other. */
  | { is: 'mixed'; examples: readonly [string, string] };

/** Collects what the cells of one column show: a column is read in one way, whatever its rows are. */
export class Evidence<Way extends string> {
  readonly #ways: readonly [Way, Way];
  readonly #wayOf: (text: string) => Way | 'either' | null;
  readonly #seen = new Map<Way | 'either', string>();

  constructor(ways: readonly [Way, Way], wayOf: (text: string) => Way | 'either' | null) {
    this.#ways = ways;
    this.#wayOf = wayOf;
  }

  see(text: string): void {
    const way = this.#wayOf(text);
    if (way !== null && !this.#seen.has(way)) this.#seen.set(way, text);
  }

  get verdict(): Verdict<Way> {
    const [one, other] = this.#ways.map((way) => this.#seen.get(way));
    if (one !== undefined && other !== undefined) return { is: 'mixed', examples: [one, other] };
    const way = this.#ways.find((each) => this.#seen.has(each));
    if (way !== undefined) return { is: 'clear', way };
    const example = this.#seen.get('either');
    return example === undefined ? { is: 'open' } : { is: 'ambiguous', example };
  }
}

export const decimalEvidence = () => new Evidence<DecimalSign>(decimalSigns, decimalSignOf);
export const dayOrderEvidence = () => new Evidence<DayOrder>(dayOrders, dayOrderOf);

/** The assumed format of an unread column, until one of its cells shows it. */
const ASSUMED = { decimal: 'point', date_order: 'mdy' } as const;

/** How the columns of a file are read, by the parameter that settles it. */
export interface Ways {
  decimal: DecimalSign;
  date_order: DayOrder;
}
export type WayName = keyof Ways;

/** A column turned out to be read in another way than its first cells were: the file is to be read again. */
export class ReadAgain extends Error {
  readonly ways: ReadonlyMap<string, string>;
  constructor(ways: ReadonlyMap<string, string>) {
    super('a column is to be read in another way');
    this.ways = ways;
  }
}

/** A column that can be read in two ways, and the parameter that settles which. */
export interface Unclear {
  column: string;
  settles: WayName;
  examples: readonly string[];
}

/** Nothing but a person can know how a column is to be read. */
export class UnclearColumn extends Error {
  readonly unclear: Unclear;
  constructor(unclear: Unclear) {
    super(wordsOf(unclear));
    this.unclear = unclear;
  }
}

export function wordsOf({ column, settles, examples }: Unclear): string {
  const [first = '', second] = examples.map((text) => `"${text.slice(0, 40)}"`);
  if (settles === 'decimal') {
    const what = second
      ? `${column} has a decimal point in ${first} and a decimal comma in ${second}.`
      : `${column} can be read in two ways: ${first} is thousands, or has three decimals.`;
    return `${what} Set decimal to point or comma.`;
  }
  const what = second
    ? `${column} has the day first in ${first} and the month first in ${second}.`
    : `${column} can be read in two ways: ${first} has the day first, or the month.`;
  return `${what} Set date_order to dmy or mdy.`;
}

/**
 * Reads the columns of a file while it goes by, each as a whole: cells that mean the same either way, and those before the first that
 * shows, are taken as assumed, and if that was wrong, the file is read again with what is known then.
 */
export class ColumnReader {
  readonly #given: Partial<Ways>;
  readonly #known: ReadonlyMap<string, string>;
  readonly #columns = new Map<string, { evidence: Evidence<string>; settles: WayName; assumed: string | null }>();

  /** @param known from an earlier reading of the same file */
  constructor(given: Partial<Ways> = {}, known: ReadonlyMap<string, string> = new Map()) {
    this.#given = given;
    this.#known = known;
  }

  decimalOf(column: string, text: string): DecimalSign {
    return this.#given.decimal ?? (this.#wayOf(column, text, 'decimal') as DecimalSign);
  }

  dayOrderOf(column: string, text: string): DayOrder {
    return this.#given.date_order ?? (this.#wayOf(column, text, 'date_order') as DayOrder);
  }

  #wayOf(name: string, text: string, settles: WayName): string {
    let column = this.#columns.get(name);
    if (!column) {
      const evidence = settles === 'decimal' ? decimalEvidence() : dayOrderEvidence();
      column = { evidence: evidence as Evidence<string>, settles, assumed: null };
      this.#columns.set(name, column);
    }
    column.evidence.see(text);
    const { verdict } = column.evidence;
    if (verdict.is === 'open') return ASSUMED[settles];
    if (verdict.is === 'mixed') throw new UnclearColumn({ column: name, settles, examples: verdict.examples });
    const way = verdict.is === 'clear' ? verdict.way : (this.#known.get(name) ?? ASSUMED[settles]);
    if (column.assumed !== null && column.assumed !== way) throw new ReadAgain(new Map([...this.#known, [name, way]]));
    column.assumed = way;
    return way;
  }

  /** After the last row. @throws {UnclearColumn} when no cell of a column has told how all of them are meant */
  finish(): void {
    for (const [column, { evidence, settles }] of this.#columns) {
      const { verdict } = evidence;
      if (verdict.is === 'ambiguous') throw new UnclearColumn({ column, settles, examples: [verdict.example] });
    }
  }
}
