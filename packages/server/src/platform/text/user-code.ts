import type { Random } from '../random.ts';

/** No vowels, so that no code is a word, and no digits that look like letters (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const PATTERN = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** A code that a terminal shows and its owner types or compares: 34 bits, such as `BCDFGHJK`. */
export function newUserCode(random: Random): string {
  const most = 256 - (256 % LETTERS.length);
  let code = '';
  while (code.length < LENGTH) {
    for (const byte of random.bytes(LENGTH * 2)) {
      // bytes past the last whole multiple would make some letters likelier than others
      if (byte < most && code.length < LENGTH) code += LETTERS[byte % LETTERS.length];
    }
  }
  return code;
}

/** As people read it: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The same text for every way to type one code: this is what is hashed. */
export const plainUserCode = (typed: string): string => typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');

export const isUserCode = (plain: string): boolean => PATTERN.test(plain);
