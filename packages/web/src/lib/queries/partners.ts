import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

/** A developer's resellers. @param past those whose partnership has ended, instead of all others. */
export const resellersQuery = (past = false) =>
  queryOptions({
    queryKey: keys.resellers.list(past),
    queryFn: ({ signal }) => api.listResellers(past ? { query: { status: 'ended' } } : undefined, { signal }),
  });

export const resellerQuery = (id: string) =>
  queryOptions({
    queryKey: keys.resellers.one(id),
    queryFn: ({ signal }) => api.getReseller({ path: { id } }, { signal }),
  });

/** The developers that a reseller sells for. @param past those whose partnership has ended, instead of all others. */
export const partnersQuery = (past = false) =>
  queryOptions({
    queryKey: keys.partners.list(past),
    queryFn: ({ signal }) => api.listPartners(past ? { query: { status: 'ended' } } : undefined, { signal }),
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
