import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { byCursor, cursorOf, headerPage } from './header-page.ts';
import { keys } from './keys.ts';

export const partnersFilter = (past: boolean, search: string) => ({
  ...(past ? { status: 'ended' as const } : {}),
  ...(search ? { search } : {}),
});

/** So many partnerships come with one request where all of them are needed to choose from. */
const MOST = 1000;

async function every<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** A developer's resellers, page by page. @param past those whose partnership has ended, instead of all others. */
export const resellersQuery = (past: boolean, search: string) =>
  infiniteQueryOptions({
    ...byCursor,
    queryKey: keys.resellers.list(past, search),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...partnersFilter(past, search), ...cursorOf(pageParam) };
      return headerPage(await api.withResponse.listResellers({ query }, { signal }));
    },
    placeholderData: (before, query) => (query?.queryKey[2] === past ? before : undefined),
  });

/** The first of a developer's resellers that a search finds, to choose from. */
export const foundResellersQuery = (search: string) =>
  queryOptions({
    queryKey: keys.resellers.found(search),
    queryFn: ({ signal }) => api.listResellers({ query: partnersFilter(false, search) }, { signal }),
  });

/** All current resellers of a developer, to choose from. */
export const everyResellerQuery = queryOptions({
  queryKey: keys.resellers.every,
  queryFn: ({ signal }) => every(api.paginate.listResellers({ query: { limit: MOST } }, { signal })),
});

export const resellerQuery = (id: string) =>
  queryOptions({
    queryKey: keys.resellers.one(id),
    queryFn: ({ signal }) => api.getReseller({ path: { id } }, { signal }),
  });

/** The developers that a reseller sells for, page by page. @param past those whose partnership has ended, instead of all others. */
export const partnersQuery = (past: boolean, search: string) =>
  infiniteQueryOptions({
    ...byCursor,
    queryKey: keys.partners.list(past, search),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...partnersFilter(past, search), ...cursorOf(pageParam) };
      return headerPage(await api.withResponse.listPartners({ query }, { signal }));
    },
    placeholderData: (before, query) => (query?.queryKey[2] === past ? before : undefined),
  });

/** All developers that a reseller sells for, to choose from. */
export const everyPartnerQuery = queryOptions({
  queryKey: keys.partners.every,
  queryFn: ({ signal }) => every(api.paginate.listPartners({ query: { limit: MOST } }, { signal })),
});

export const partnerQuery = (id: string) =>
  queryOptions({
    queryKey: keys.partners.one(id),
    queryFn: ({ signal }) => api.getPartner({ path: { id } }, { signal }),
  });

/** Page by page. @param id of the partnership for a developer, of the developer for a reseller. */
export const partnerStockQuery = (side: 'developer' | 'reseller', id: string) =>
  infiniteQueryOptions({
    ...byCursor,
    queryKey: side === 'developer' ? keys.resellers.stock(id) : keys.partners.stock(id),
    queryFn: async ({ pageParam, signal }) => {
      const call = { path: { id }, query: cursorOf(pageParam) };
      return headerPage(
        side === 'developer'
          ? await api.withResponse.getResellerStock(call, { signal })
          : await api.withResponse.getPartnerStock(call, { signal }),
      );
    },
  });
