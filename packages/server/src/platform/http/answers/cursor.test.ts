import { expect, it } from 'vitest';
import { decodeCursor, decodeIdCursor, pageOf } from './cursor.ts';

const rows = ['a', 'b', 'c'].map((letter) => ({ id: `0000000${letter}-0000-7000-8000-000000000000`, at: letter }));

it('a page ends with a cursor while there is more', () => {
  const { rows: page, next_cursor } = pageOf(rows, 2);
  expect(page).toEqual(rows.slice(0, 2));
  expect(decodeIdCursor(next_cursor as string)).toBe(rows[1]?.id);
});

it.each([
  [3, rows],
  [4, rows],
  [2, []],
])('the last page of %i has none', (limit, last) => {
  expect(pageOf(last, limit)).toEqual({ rows: last, next_cursor: null });
});

it('a cursor holds what the list is ordered by', () => {
  const { next_cursor } = pageOf(rows, 1, ({ id, at }) => [at, id]);
  expect(decodeCursor(next_cursor as string, 2)).toEqual(['a', rows[0]?.id]);
  expect(() => decodeIdCursor(next_cursor as string)).toThrow('not valid');
});
