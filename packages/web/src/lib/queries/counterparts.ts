import { infiniteQueryOptions } from '@tanstack/react-query';
import { every, pages, q } from './operation.ts';

export const counterpartsFilter = (past: boolean, search: string) => ({
  ...(past ? { status: 'ended' as const } : {}),
  ...(search ? { search } : {}),
});

/** So many partnerships come with one request where all of them are needed to choose from. */
const MOST = 1000;

/** While another search loads, an earlier one is shown, but never those of the other status. */
const ofStatus =
  (past: boolean) =>
  <Data>(before: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined => {
    const input = query?.queryKey[1] as { query: ReturnType<typeof counterpartsFilter> } | undefined;
    return input && Boolean(input.query.status) === past ? before : undefined;
  };

/** A developer's resellers, page by page. @param past those whose partnership has ended, instead of all others. */
export const resellersQuery = (past: boolean, search: string) =>
  infiniteQueryOptions({
    ...pages('listResellers', { query: counterpartsFilter(past, search) }),
    placeholderData: ofStatus(past),
  });

/** The first of a developer's resellers that a search finds, to choose from. */
export const foundResellersQuery = (search: string) => q('listResellers', { query: counterpartsFilter(false, search) });

/** All current resellers of a developer, to choose from. */
export const everyResellerQuery = every('listResellers', { query: { limit: MOST } });

export const resellerQuery = (id: string) => q('getReseller', { path: { id } });

/** The developers that a reseller sells for, page by page. @param past those whose partnership has ended, instead of all others. */
export const developersQuery = (past: boolean, search: string) =>
  infiniteQueryOptions({
    ...pages('listPartners', { query: counterpartsFilter(past, search) }),
    placeholderData: ofStatus(past),
  });

/** All developers that a reseller sells for, to choose from. */
export const everyDeveloperQuery = every('listPartners', { query: { limit: MOST } });

export const developerQuery = (id: string) => q('getPartner', { path: { id } });

/** Page by page. @param id of the partnership for a developer, of the developer for a reseller. */
export const resellerStockQuery = (side: 'developer' | 'reseller', id: string) =>
  pages(side === 'developer' ? 'getResellerStock' : 'getPartnerStock', { path: { id } });
