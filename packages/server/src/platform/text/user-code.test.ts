import { expect, it } from 'vitest';
import type { Random } from '#platform/random.ts';
import { isUserCode, newUserCode, plainUserCode, shownUserCode } from './user-code.ts';

/** Answers these bytes, again and again. */
const dealing = (...bytes: number[]): Random => {
  let at = 0;
  const next = () => bytes[at++ % bytes.length] as number;
  return {
    id: () => '',
    bytes: (size) => Buffer.from(Array.from({ length: size }, next)),
    fill: (buffer) => buffer,
  };
};

it('has eight characters without vowels, each as likely as any other', () => {
  // none of 240 to 255 becomes a letter, or the first sixteen would be likelier
  expect(newUserCode(dealing(255, 0, 240, 19, 20, 239, 250, 21))).toBe('BZBZCBZB');
  const every = new Set(Array.from({ length: 240 }, (_, byte) => newUserCode(dealing(byte))[0]));
  expect([...every].join('')).toBe('BCDFGHJKLMNPQRSTVWXZ');
});

it.each(['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'BCDF–GHJK', 'b-c-d-f-g-h-j-k'])('reads "%s"', (typed) => {
  expect(plainUserCode(typed)).toBe('BCDFGHJK');
  expect(isUserCode(plainUserCode(typed))).toBe(true);
  expect(shownUserCode(plainUserCode(typed))).toBe('BCDF-GHJK');
});

it.each(['', 'BCDF', 'ABCD-EFGH', 'BCDF-GHJKL', 'BCDF-GH1K', 'BCDF_GHJK'])('refuses "%s"', (typed) => {
  expect(isUserCode(plainUserCode(typed))).toBe(false);
});
