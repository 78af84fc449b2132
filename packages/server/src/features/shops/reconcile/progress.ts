/** How far a list was read that takes more than one look. */
export interface Progress {
  /** When the first of them was. */
  began: Date;
  /** Sales and refunds that the shop has not reported. */
  missed: number;
  /** The next one; null: the first. */
  page: string | null;
  /** How many were read. */
  pages: number;
  /** One that was read before; null: none is remembered. */
  mark: string | null;
}

/** The most pages of one list: with ten orders on a page, the fewest that a shop has, 100,000 orders. */
const MOST_PAGES = 10_000;

export const begun = (now: Date): Progress => ({ began: now, missed: 0, page: null, pages: 0, mark: null });

/** As it was kept. */
export function progressIn(cursor: string): Progress {
  const { began, ...rest } = JSON.parse(cursor) as Omit<Progress, 'began'> & { began: string };
  return { ...begun(new Date(began)), ...rest };
}

/**
 * On the next page.
 * @returns null: the list repeats its pages, or has more than there can be, and would be read for ever.
 */
export function advance(progress: Progress, next: string): Progress | null {
  const pages = progress.pages + 1;
  if (pages >= MOST_PAGES || next === progress.page || next === progress.mark) return null;
  // one of the pages that come round and round is remembered for as long as it takes to come again
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return { ...progress, page: next, pages, mark: isPowerOfTwo ? next : progress.mark };
}
