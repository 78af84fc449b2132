import { expect, it } from 'vitest';
import { statementNumberIn } from './statement-number.ts';

it.each([
  ['2026-0007', '2026-0007'],
  [' 2026-7 ', '2026-0007'],
  ['Invoice 2026-0007', '2026-0007'],
  ['statement #2026-12345.', '2026-12345'],
  ['2026-rt4k2-0007', '2026-RT4K2-0007'],
  ['ABCD-2026-0007', null],
  ['2026', null],
  ['2026-', null],
  ['prism', null],
])('%s names %s', (words, number) => {
  expect(statementNumberIn(words)).toBe(number);
});
