import { expect, it } from 'vitest';
import { answered, cellWords, choicesOf, countsOf, keptWords, stateOf } from './words.ts';

const none = { decimal: null, date_order: null, price: null, date: null, ends: null };

it('shows money as money, a count as a count, and a moment by the clock', () => {
  expect(cellWords('Total Price', 1041.59)).toBe('$1,041.59');
  expect(cellWords('Downloads', 1200)).toBe('1,200');
  expect(cellWords('Purchase Date', '2024-12-31T18:30:00.000Z')).toContain('2024');
  expect(cellWords('Notes', '2024-12-31')).toBe('2024-12-31');
  expect(cellWords('Country', null)).toBe('–');
  expect(cellWords('Country', undefined)).toBe('–');
  expect(cellWords('Revoked', true)).toBe('Yes');
});

it('names what prevents that an import is taken back, one or many', () => {
  expect(keptWords({ reason: 'seats', count: 1 }, 'redeemed')).toBe('1 serial has a seat or had one.');
  expect(keptWords({ reason: 'seats', count: 1200 }, 'redeemed')).toBe('1,200 serials have a seat or had one.');
  expect(keptWords({ reason: 'serials', count: 2 }, 'customers')).toBe('2 customers own a serial.');
});

it('does not call a trial an import', () => {
  expect(stateOf({ state: 'complete', dry_run: true }).word).toBe('Checked');
  expect(stateOf({ state: 'complete', dry_run: false }).word).toBe('Complete');
  expect(stateOf({ state: 'failed', dry_run: true }).word).toBe('Failed');
});

it('counts the result of an import', () => {
  const row = {
    id: 'a',
    kind: 'redeemed',
    file_name: 'a.csv',
    state: 'complete',
    dry_run: false,
    lines: 9,
    count: 1200,
    known: 0,
    rejected: 3,
    error: null,
    started_at: '2026-01-01T00:00:00.000Z',
    finished_at: null,
    undone_at: null,
  } as const;
  expect(countsOf({ ...row, unused_columns: [] })).toBe('1,200 added, 3 refused');
  expect(countsOf({ ...row, unused_columns: [], known: 4, rejected: 0 })).toBe('1,200 added, 4 known already');
  expect(countsOf({ ...row, unused_columns: [], state: 'open' })).toBe('Nothing imported yet');
  expect(countsOf({ ...row, unused_columns: [], state: 'checking' })).toBe('Nothing imported yet');
});

it('has words for each answer, and names the choices of an account as they are', () => {
  expect(choicesOf({ id: 'decimal', choices: ['point', 'comma'] }).map(({ words }) => words)).toEqual([
    'A point: 1,234.50',
    'A comma: 1.234,50',
  ]);
  expect(choicesOf({ id: 'Product', choices: ['Chorus'] })).toEqual([{ value: 'Chorus', words: 'Chorus' }]);
  expect(answered({ answers: none })).toEqual([]);
  expect(answered({ answers: { ...none, date: 'today' } })).toEqual([
    { id: 'date', what: 'Sales are booked on', words: 'Today' },
  ]);
});
