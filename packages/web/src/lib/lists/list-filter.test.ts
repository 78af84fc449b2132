import { expect, it } from 'vitest';
import { queryOf, setIn } from './list-filter.ts';

const filter = { search: '', dateRange: 'all', status: 'active,-revoked', product: undefined, reseller: '-a' };

it('counts and sends only what narrows a list', () => {
  expect(setIn(filter, { search: '', dateRange: 'all' })).toEqual(['status', 'reseller']);
  expect(queryOf(filter)).toEqual({ status: 'active,-revoked', reseller: '-a' });
  expect(queryOf({ search: '', dateRange: 'all' })).toEqual({});
});

it('takes a search for “all” at its word', () => {
  const usual = { search: '', dateRange: 'all' };
  expect(setIn({ ...usual, search: 'all' }, usual)).toEqual(['search']);
  expect(queryOf({ ...usual, search: 'all' })).toEqual({ search: 'all' });
});
