import { expect, it } from 'vitest';
import { queryOf, setIn } from './list-filter.ts';

const filter = { search: '', dateRange: 'all', status: 'active,-revoked', product: undefined, reseller: '-a' };

it('counts and sends only what narrows a list', () => {
  expect(setIn(filter, { search: '', dateRange: 'all' })).toEqual(['status', 'reseller']);
  expect(queryOf(filter)).toEqual({ status: 'active,-revoked', reseller: '-a' });
  expect(queryOf({ search: '', dateRange: 'all' })).toEqual({});
});
