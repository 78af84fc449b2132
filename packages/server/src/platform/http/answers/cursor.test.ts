import { expect, it } from 'vitest';
import { isId } from '#platform/ids.ts';
import { decodeCursor, decodeIdCursor, decodeNameCursor, isMoment, isText, pageOf } from './cursor.ts';

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
  expect(decodeCursor(next_cursor as string, [isText, isId])).toEqual(['a', rows[0]?.id]);
  expect(() => decodeIdCursor(next_cursor as string)).toThrow('not valid');
});

const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const id = rows[0]?.id as string;

it('a moment and an id are a place in a list', () => {
  expect(decodeCursor(cursorOf('2026-03-10T12:00:00.000Z', id), [isMoment, isId])).toEqual([
    '2026-03-10T12:00:00.000Z',
    id,
  ]);
});

it.each([
  ['a number, which the database would take for no moment', cursorOf('1', id)],
  ['a day that no month has', cursorOf('2026-02-30T12:00:00.000Z', id)],
  ['a year that the database does not have', cursorOf('0000-01-01T12:00:00.000Z', id)],
  ['an hour that no day has', cursorOf('2026-03-10T25:00:00.000Z', id)],
  ['another id', cursorOf('2026-03-10T12:00:00.000Z', '1')],
  ['a part too many', cursorOf('2026-03-10T12:00:00.000Z', id, id)],
  ['a part too few', cursorOf('2026-03-10T12:00:00.000Z')],
  ['a part that is no text', cursorOf(1, id)],
  ['no JSON', 'nonsense'],
])('refuses %s', (_, cursor) => {
  expect(() => decodeCursor(cursor, [isMoment, isId])).toThrow('not valid');
});

it.each(['\0', '\ud800'])('refuses the name %j, which no database holds', (name) => {
  expect(() => decodeNameCursor(cursorOf(name, id))).toThrow('not valid');
});
