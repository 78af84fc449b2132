import { expect, it } from 'vitest';
import { tokensWarning, trustsWarning } from './tokens-query.ts';

it('names the access tokens that a new password deletes', () => {
  expect(tokensWarning(undefined)).toBeUndefined();
  expect(tokensWarning([])).toBeUndefined();
  expect(tokensWarning(['CI'])).toBe('Your access token CI is deleted too: scripts need new ones.');
  expect(tokensWarning(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe(
    'Your access tokens a, b, c, d, e and 2 more are deleted too: scripts need new ones.',
  );
});

it('a new password deletes trusts for CI too, and the form warns of it', () => {
  expect(trustsWarning([])).toBeUndefined();
  expect(trustsWarning(['release'])).toBe('Your trust for CI release is deleted too: its jobs are refused.');
  expect(trustsWarning(['release', 'nightly'])).toBe(
    'Your trusts for CI release, nightly are deleted too: their jobs are refused.',
  );
});
