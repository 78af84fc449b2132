import { expect, it } from 'vitest';
import { plainPlural, plural } from './plural.ts';

it('a count has its noun, with separators in the number or without', () => {
  expect([0, 1, 2, 1000].map((n) => plural(n, 'line'))).toEqual(['0 lines', '1 line', '2 lines', '1,000 lines']);
  expect([1, 1000].map((n) => plural(n, 'line has', 'lines have'))).toEqual(['1 line has', '1,000 lines have']);
  expect([0, 1, 1000].map((n) => plainPlural(n, 'line'))).toEqual(['0 lines', '1 line', '1000 lines']);
});
