import { expect, it } from 'vitest';
import { settingsPartOf } from './settings-parts.ts';

it.each([
  ['', 'account'],
  ['sessions', 'account'],
  ['plan', 'plan'],
  ['billing', 'plan'],
  ['tokens', 'tokens'],
  ['trusts', 'tokens'],
  ['of-another-page', 'account'],
])('the section %s is in the part %s', (hash, part) => {
  expect(settingsPartOf(hash)).toBe(part);
});
