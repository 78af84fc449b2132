import { describe, expect, it } from 'vitest';
import { absent, country, days, flag, id, month, oneOf, or, page, range, searchSchema, text } from './search-params.ts';

const uuid = '0197b2c4-8f00-7000-8000-000000000001';

describe('a search parameter', () => {
  it.each([
    ['a text', text, ['a', 7, true], ['a', '7', 'true']],
    ['an id', id, [uuid, 'x', 7], [uuid, undefined, undefined]],
    ['a month', month, ['2026-11', '2026-13', '0202-01'], ['2026-11', undefined, undefined]],
    ['a country', country, ['DE', 'none', 'de'], ['DE', 'none', undefined]],
    ['a range', range, ['1w', '2026-01-01_to_2026-01-31', '3w'], ['1w', '2026-01-01_to_2026-01-31', undefined]],
    ['days', days, ['1m', 'x', undefined], ['1m', 'all', 'all']],
    ['a page', page, [2, '3', 0, 1.5, 'x'], [2, 3, 1, 1, 1]],
    ['a switch', flag, [true, 'true', undefined], [true, false, false]],
    ['a choice', oneOf(['a', 'b']), ['b', 'c', undefined], ['b', undefined, undefined]],
    ['a choice of numbers', or(oneOf([7, 30]), 30), [7, '7', 8], [7, 7, 30]],
  ])('is %s, or means what an absent one means', (_what, param, given, read) => {
    expect(given.map((each) => (param as (value: unknown) => unknown)(each))).toEqual(read);
  });
});

it('fills in what an address leaves out, and drops what it does not know', () => {
  const schema = searchSchema({ search: or(text, ''), page });
  expect(schema.validateSearch({ page: 4, else: 'x' } as never)).toEqual({ search: '', page: 4 });
  expect(absent({ search: or(text, ''), page })).toEqual({ search: '', page: 1 });
});
