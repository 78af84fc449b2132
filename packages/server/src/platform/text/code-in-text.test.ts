import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codesIn } from './code-in-text.ts';

const vectors: { found: [string, string][]; none: string[] } = JSON.parse(
  readFileSync('test/vectors/codes-in-text.json', 'utf8'),
);

it.each(vectors.found)('the code is found in %j', (text, code) => {
  expect(codesIn(text)[0]).toBe(code);
});

it.each(vectors.none)('there is no other code in %j', (text) => {
  expect(codesIn(text)).toEqual([]);
});

it('few are looked up, of however long a text, and quickly', () => {
  const many = 'ABCD-EFGH-2345-6789 XBCD-EFGH-2345-6789 YBCD-EFGH-2345-6789 ZBCD-EFGH-2345-6789';
  expect(codesIn(many)).toHaveLength(3);
  const from = performance.now();
  for (const text of ['a.', 'abcd ', 'ABC-', '2222 ', 'Serial: ', '“', '?serial=', 'https://'])
    codesIn(text.repeat(100_000));
  expect(performance.now() - from).toBeLessThan(2000);
});
