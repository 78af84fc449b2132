import { expect, it } from 'vitest';
import { advance, begun, type Progress, progressIn } from './progress.ts';

/** How many pages of a list are read until it is seen not to end; null: to its end. */
function read(pages: Iterable<string | null>): number | null {
  let progress: Progress | null = begun(new Date(0));
  let count = 0;
  for (const next of pages) {
    count += 1;
    if (next === null) return null;
    // as it is kept between two jobs
    progress = advance(progressIn(JSON.stringify(progress)), next);
    if (progress === null) return count;
  }
  throw new Error('a list without an end');
}

it('reads a list of 99,990 orders to its end, ten on a page', () => {
  expect(read([...Array.from({ length: 9998 }, (_, n) => `page ${n}`), null])).toBeNull();
});

it.each([1, 2, 3, 7, 100])('sees soon that a list repeats itself after %i pages', (length) => {
  function* pages() {
    for (let n = 0; n < 5; n += 1) yield `honest ${n}`;
    for (let n = 0; ; n += 1) yield `page ${n % length}`;
  }
  expect(read(pages())).toBeLessThan(4 * (length + 5));
});

it('reads no list for ever, whatever its pages are called', () => {
  function* pages() {
    for (let n = 0; ; n += 1) yield `page ${n}`;
  }
  expect(read(pages())).toBe(10_000);
});
