import { expect, it } from 'vitest';
import { nextItem, type Typed } from './menu-keys.ts';

const labels = ['Rename', 'Rotate', 'Turn off', 'Delete'];
const from = (current: number, key: string, typed: Typed = { text: '', at: 0 }, now = 10_000) =>
  nextItem(key, labels, current, typed, now);

it('arrow keys, Home and End move, and go around at the ends', () => {
  expect([from(0, 'ArrowDown'), from(3, 'ArrowDown'), from(0, 'ArrowUp'), from(2, 'ArrowUp')]).toEqual([1, 0, 3, 1]);
  expect([from(2, 'Home'), from(1, 'End')]).toEqual([0, 3]);
  expect([from(-1, 'ArrowDown'), from(-1, 'ArrowUp')]).toEqual([0, 3]);
});

it('a letter goes to the next item that begins with it, and several letters to the one that fits them', () => {
  expect([from(-1, 'r'), from(0, 'R'), from(1, 'r'), from(0, 'x')]).toEqual([0, 1, 0, undefined]);
  const typed = { text: '', at: 0 };
  expect(['r', 'o'].map((key, at) => from(at - 1, key, typed, 10_000 + at))).toEqual([0, 1]);
  expect(from(1, 'd', typed, 12_000)).toBe(3);
});

it('other keys stay what they are', () => {
  expect(['Tab', 'Enter', 'Escape', ' '].map((key) => from(0, key))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(nextItem('ArrowDown', [], -1, { text: '', at: 0 }, 0)).toBeUndefined();
});
