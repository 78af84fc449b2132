import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { useDebounced } from '#lib/hooks.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import type { Entry } from './entries.ts';
import { foundEntries, foundForReseller } from './recent.ts';

const LEAST = 2;
const PER_KIND = 5;

async function findForReseller(search: string, signal: AbortSignal): Promise<Entry[]> {
  const query = { search, limit: PER_KIND };
  const [draws, orders, products, developers, statements] = await Promise.all([
    api.listDraws({ query }, { signal }),
    api.listShopOrders({ query }, { signal }),
    api.listResellerProducts({ query }, { signal }),
    api.listPartners({ query }, { signal }),
    // words without a year have no number
    /\d{4}-/.test(search) ? api.listPayouts({ query: { number: search, limit: PER_KIND } }, { signal }) : { rows: [] },
  ]);
  return foundForReseller({
    draws: draws.rows,
    orders: orders.rows,
    products: products.rows,
    developers,
    statements: statements.rows,
  });
}

/** The server's results for what was typed, once typing pauses. */
export function useSearch(text: string, reseller: boolean) {
  const typed = text.trim().slice(0, 200);
  const settled = useDebounced(typed, 180);
  const asks = typed.length >= LEAST && settled.length >= LEAST;
  const query = useQuery({
    queryKey: ownKeys.search(reseller, settled),
    queryFn: async ({ signal }) =>
      reseller
        ? findForReseller(settled, signal)
        : foundEntries(await api.search({ query: { q: settled } }, { signal })),
    enabled: asks,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return {
    found: asks ? query.data : undefined,
    error: asks && query.isError ? query.error : null,
    waiting: typed.length >= LEAST && (typed !== settled || query.isFetching),
    retry: () => {
      query.refetch();
    },
  };
}
