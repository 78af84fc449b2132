import { expect, it } from 'vitest';
import { hasWords, sameName } from './same-name.ts';

it('names that look the same are the same', () => {
  expect(sameName('Jos\u00e9 Synth', 'jose\u0301\u00a0 synth\u200b')).toBe(true);
  for (const other of ['Jose Synth', 'Jos\u00e9Synth', '']) expect(sameName('Jos\u00e9 Synth', other)).toBe(false);
  for (const none of [null, undefined]) expect(sameName(none, '')).toBe(false);
});

it('a search needs no accents', () => {
  expect(hasWords('Jos\u00e9 Ångström', 'angs')).toBe(true);
  expect(hasWords('Jose', 'jose\u0301')).toBe(true);
  expect(hasWords('Jose', 'josef')).toBe(false);
});
