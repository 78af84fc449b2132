import { DAY } from '#platform/clock.ts';

/** Days that are read back, one step after the other; after them, everything. */
const STEPS = [1, 8, 64, 512];
/** What a search finds may be far back, so that each step would read all of its time in vain. */
const SEARCH_STEPS = [8];

interface Span {
  /** Where reading begins: nothing later is wanted, or there is nothing. */
  upper: Date;
  /** Nothing earlier is wanted; null: no bound. */
  lower: Date | null;
  search: boolean;
}

/**
 * Reads a page of what is listed newest first. A page is taken of many partnerships, and each of them would be read as far as if
 * it were alone on the page: of a short time, they are read only as far as all of them together need.
 * @param limit a page with so many rows is whole.
 * @param read a page of what is not earlier than `from`; null: of all.
 */
export async function newestFirst<Row>(
  { upper, lower, search }: Span,
  limit: number,
  read: (from: Date | null) => Promise<Row[]>,
): Promise<Row[]> {
  for (const days of search ? SEARCH_STEPS : STEPS) {
    const from = new Date(upper.getTime() - days * DAY);
    if (lower && from <= lower) break;
    const rows = await read(from);
    if (rows.length >= limit) return rows;
  }
  return read(null);
}
