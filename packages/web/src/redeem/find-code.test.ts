import { describe, expect, it } from 'vitest';
import { findCode, isEmailText, unwrapped } from './find-code.ts';

const letter = (line: string) => `Hello Nina,

thank you for order 2026-1107-3321 of 7 November, invoice INV-2026-0042. Questions? Call 0800-123-4567.
${line}
Redeem it at https://example.com/redeem?dev=01a1fd49-1f0d-7000-83da-7547ad3708bf before then.
The Lowpass team <help@lowpass.example>`;

describe('the code in an email', () => {
  it.each([
    ['Serial\nPRSM-4KJ7-W9XQ-HT3N', 'PRSM-4KJ7-W9XQ-HT3N'],
    ['Your serial: abcd-efgh-2345-6789.', 'abcd-efgh-2345-6789'],
    ['Here it is: LOWPASS-4KJ7-W9XQ-HT3N', 'LOWPASS-4KJ7-W9XQ-HT3N'],
    ['ABCD–EFGH–2345–6789', 'ABCD–EFGH–2345–6789'],
    ['code ABCD EFGH 2345 6789 thanks', 'ABCD EFGH 2345 6789'],
    ['License key: a1b2.c3/Z9', 'a1b2.c3/Z9'],
    ['シリアル番号：XY12-99', 'XY12-99'],
    ['use A1B2C-D3E4F-G5H6J-K7L8M to unlock', 'A1B2C-D3E4F-G5H6J-K7L8M'],
  ])('is found: %s', (line, code) => {
    expect(findCode(letter(line))).toBe(code);
  });

  it('is taken out of a link when it is nowhere else', () => {
    expect(findCode('Redeem: https://example.com/redeem?serial=4KJ7-W9XQ-HT3N-PRSM&email=n@x.org')).toBe(
      '4KJ7-W9XQ-HT3N-PRSM',
    );
  });

  it('is not made of prose', () => {
    expect(findCode('they were here when that came back then')).toBeNull();
    expect(findCode('Please call us, we are glad to help you.')).toBeNull();
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
    expect(isEmailText(letter('x'))).toBe(true);
  });
});
