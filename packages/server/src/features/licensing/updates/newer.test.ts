import { expect, it } from 'vitest';
import { isNewer } from './newer.ts';

// the same as in the plugins' own tests: "updates: versions are compared by their numbers"
it.each([
  ['1.10', '1.9', true],
  ['2', '1.9.9', true],
  ['1.0.1', '1.0', true],
  ['1.0.0', '1', false],
  ['1.9', '1.10', false],
  ['latest', '1.0', false],
  ['', '1.0', false],
  ['99999999999999999999', '1', true],
  ['1.2-beta', '1.2', false],
  ['1.2', '', true],
  ['1.2', 'nightly', true],
])('%s after %s: %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer);
});
