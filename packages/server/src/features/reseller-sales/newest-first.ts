import { DAY } from '#platform/clock.ts';

/** Days that are read back at first. */
const FIRST = 1 / 8;
/**
 * Days that a search reads first. Its results may be far back, and each step would read all of its time in vain: it
 * takes one.
 */
const FIRST_OF_SEARCH = 8;
/** Everything is read after it. */
const LONGEST = 512;
/** A next step is at most so many times as long; and at least two, four, eight times, or a lull would take many. */
const MOST = 16;
/** More than the last step promises, because sales are not even. */
const SPARE = 1.25;

interface Span {
  /** The moment at which reading begins: nothing later is wanted, or there is nothing later. */
  upper: Date;
  /** Nothing earlier is wanted; null: no bound. */
  lower: Date | null;
  search: boolean;
}

/**
 * Reads a page of what is listed newest first. A page is taken of many partnerships, and each of them would be read as far as if
 * it were alone on the page: of a short time, they are read only as far as all of them together need. How short follows from
 * what the time before it had, so that a page costs the same however many are sold in a day.
 * @param limit a page with so many rows is whole.
 * @param read a page of what is not earlier than `from`; null: of all.
 */
export async function newestFirst<Row>(
  { upper, lower, search }: Span,
  limit: number,
  read: (from: Date | null) => Promise<Row[]>,
): Promise<Row[]> {
  let days = search ? FIRST_OF_SEARCH : FIRST;
  for (let least = 2; days <= LONGEST; least *= 2) {
    const from = new Date(upper.getTime() - days * DAY);
    if (lower && from <= lower) break;
    const rows = await read(from);
    if (rows.length >= limit) return rows;
    if (search) break;
    days *= Math.min(MOST, Math.max(least, (SPARE * limit) / rows.length));
  }
  return read(null);
}
