import { expect, it } from 'vitest';
import { terminalCode } from './terminal-code.ts';

it.each([
  ['BCDF-GHJK', 'BCDF-GHJK'],
  ['bcdfghjk', 'BCDF-GHJK'],
  [' bcdf – ghjk ', 'BCDF-GHJK'],
  ['BCDF-GHJ', null],
  ['BCDF-GHJA', null],
  ['BCDF-GHJ1', null],
  ['', null],
])('reads "%s" as %s', (typed, code) => {
  expect(terminalCode(typed)).toBe(code);
});
