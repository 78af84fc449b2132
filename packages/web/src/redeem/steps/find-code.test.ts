import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findCode, isEmailText, unwrapped } from './find-code.ts';

const vectors: { found: [string, string][]; none: string[] } = JSON.parse(
  readFileSync('test/vectors/codes-in-text.json', 'utf8'),
);
const email = 'Hello Nina,\n\nthank you for your order.\n';

describe('the code in a text, by the same rules as the server', () => {
  it.each(vectors.found)('is found in %j', (text, code) => {
    expect(findCode(text)).toBe(code);
  });

  it.each(vectors.none)('is not made of %j', (text) => {
    expect(findCode(text)).toBeNull();
  });

  it('comes without the quotes, brackets and full stops that were copied with it', () => {
    const code = 'PRSM-4KJ7-W9XQ-HT3N';
    for (const around of [`"${code}"`, `„${code}“`, `«\u00a0${code}\u00a0»`, `(${code}).`, `${code},`, `\u200b${code}`])
      expect(unwrapped(around)).toBe(code);
    for (const other of [code, ` ${code}\n`, `#${code}`, 'MY.PLUGIN/2024.', 'A1B2C-D3E4F!', `${code}-4KJ7.X`])
      expect(unwrapped(other)).toBeNull();
  });

  it('distinguishes an email from a typed code', () => {
    expect(isEmailText('abcd efgh 2345 6789')).toBe(false);
    expect(isEmailText('a1b2c3d4-e5f6-a7b8-c9d0-e1f2a3b4c5d6 ')).toBe(false);
    expect(isEmailText(email)).toBe(true);
  });
});
