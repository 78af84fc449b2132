import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ShowMore } from './show-more.tsx';

const list = {
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: () => undefined,
};
const textOf = (change: Partial<typeof list>, quiet = false) =>
  renderToStaticMarkup(<ShowMore list={{ ...list, ...change }} words="Show more batches" quiet={quiet} />).replaceAll(
    /<[^>]*>/g,
    ' ',
  );

it('offers the next page, and shows if it could not be loaded', () => {
  expect(textOf({ hasNextPage: false })).toBe('');
  expect(textOf({})).toContain('Show more batches');
  expect(textOf({ isFetchNextPageError: true })).toMatch(/couldn.*t be loaded.*Try again/);
  expect(textOf({ isFetchNextPageError: true }, true)).not.toContain('loaded');
});
