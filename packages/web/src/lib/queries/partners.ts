import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

export const partnersFilter = (past: boolean, search: string) => ({
  ...(past ? { status: 'ended' as const } : {}),
  ...(search ? { search } : {}),
});

/** A developer's resellers. @param past those whose partnership has ended, instead of all others. */
export const resellersQuery = (past = false, search = '') =>
  queryOptions({
    queryKey: keys.resellers.list(past, search),
    queryFn: ({ signal }) => api.listResellers({ query: partnersFilter(past, search) }, { signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === past ? before : undefined),
  });

export const resellerQuery = (id: string) =>
  queryOptions({
    queryKey: keys.resellers.one(id),
    queryFn: ({ signal }) => api.getReseller({ path: { id } }, { signal }),
  });

/** The developers that a reseller sells for. @param past those whose partnership has ended, instead of all others. */
export const partnersQuery = (past = false, search = '') =>
  queryOptions({
    queryKey: keys.partners.list(past, search),
    queryFn: ({ signal }) => api.listPartners({ query: partnersFilter(past, search) }, { signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === past ? before : undefined),
  });

export const partnerQuery = (id: string) =>
  queryOptions({
    queryKey: keys.partners.one(id),
    queryFn: ({ signal }) => api.getPartner({ path: { id } }, { signal }),
  });

/** @param id of the partnership for a developer, of the developer for a reseller. */
export const partnerStockQuery = (side: 'developer' | 'reseller', id: string) =>
  queryOptions({
    queryKey: side === 'developer' ? keys.resellers.stock(id) : keys.partners.stock(id),
    queryFn: ({ signal }) =>
      side === 'developer'
        ? api.getResellerStock({ path: { id } }, { signal })
        : api.getPartnerStock({ path: { id } }, { signal }),
  });
