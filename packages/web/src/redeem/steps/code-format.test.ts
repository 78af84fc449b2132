import { describe, expect, it } from 'vitest';
import { caretAfter, formatCode } from './code-format.ts';

describe('the serial field', () => {
  it('shows our codes in blocks of four, however they were typed', () => {
    expect(formatCode('abcd efgh 2345 6789')).toBe('ABCD-EFGH-2345-6789');
    expect(formatCode('  abcdefgh23456789 ')).toBe('ABCD-EFGH-2345-6789');
    expect(formatCode('ABCD–EFGH—2345-6789')).toBe('ABCD-EFGH-2345-6789');
    expect(formatCode('abcde')).toBe('ABCD-E');
    expect(formatCode('')).toBe('');
    expect(formatCode('\u200bABCD\u2011EFGH\u20112345\u20116789\ufeff')).toBe('ABCD-EFGH-2345-6789');
  });

  it('leaves codes of another shape alone', () => {
    expect(formatCode('MY.PLUGIN/2024-x')).toBe('MY.PLUGIN/2024-x');
    expect(formatCode('a1b2c3d4-e5f6-a7b8-c9d0-e1f2a3b4c5d6')).toBe('a1b2c3d4-e5f6-a7b8-c9d0-e1f2a3b4c5d6');
  });

  it('keeps the caret behind the sign that was typed', () => {
    // a fifth character adds a dash: the caret goes after the character
    expect(caretAfter('ABCDe', 5, 'ABCD-E')).toBe(6);
    // one typed in the middle
    expect(caretAfter('ABxCD-EF', 3, 'ABXC-DEF')).toBe(3);
    // backspace over a dash
    expect(caretAfter('ABCDE', 4, 'ABCD-E')).toBe(4);
    // invisible characters are not counted
    expect(caretAfter('\u200bABCDe', 6, 'ABCD-E')).toBe(6);
  });
});
