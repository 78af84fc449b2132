import { expect, it } from 'vitest';
import { packed, tabLabels, tail, wrapped } from './lines.ts';

it('a question is broken between words, and only a word that is too long within', () => {
  expect(wrapped('Move A-1 from a@example.com to b@example.com? y/N', 20)).toEqual([
    'Move A-1 from',
    'a@example.com to',
    'b@example.com? y/N',
  ]);
  expect(wrapped('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  expect(wrapped('', 3)).toEqual(['']);
});

it('keys are side by side, and none is broken', () => {
  expect(packed(['r revoke', 'd reset downloads', 's seats'], 20)).toEqual([
    'r revoke',
    'd reset downloads',
    's seats',
  ]);
  expect(packed(['u update', 'q quit'], 20)).toEqual(['u update  q quit']);
  expect(packed([], 20)).toEqual([]);
});

it('of what is typed the end is shown', () => {
  expect(tail('Search: abcdef', 7)).toBe('…abcdef');
  expect(tail('short', 8)).toBe('short');
});

it('tabs keep their names where they fit, and else the one that is shown does', () => {
  const names = ['Products', 'Batches', 'Serials', 'Customers', 'Live'];
  const at = (width: number) => tabLabels(names, { marks: { Live: 3 }, index: 2, width });
  expect(at(80)).toEqual({
    labels: [' 1 Products ', ' 2 Batches ', ' 3 Serials ', ' 4 Customers ', ' 5 Live (3) '],
    gap: 2,
  });
  expect(at(60)).toMatchObject({ labels: { length: 5, 0: ' 1 Products ' }, gap: 0 });
  expect(at(40).labels).toEqual([' 1 ', ' 2 ', ' 3 Serials ', ' 4 ', ' 5 (3) ']);
});
