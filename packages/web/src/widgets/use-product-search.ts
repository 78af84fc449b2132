import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebounced } from '#lib/hooks.ts';
import { isBehind } from '#lib/queries/freshness/stale-search.ts';
import { productQuery, productsQuery } from '#lib/queries/products.ts';

/** The products whose names contain what is typed: at most a hundred. */
export function useProductSearch() {
  const [typed, setTyped] = useState('');
  const settled = useDebounced(typed.trim());
  const list = useQuery(productsQuery(settled));
  return {
    typed,
    search: setTyped,
    products: list.data?.rows ?? [],
    isError: list.isError,
    isPending: list.isPending,
    behind: isBehind(typed, settled, list),
  };
}

/** The name of a product by its id; undefined while it loads. */
export function useProductName(id: string): string | undefined {
  const { data, isError } = useQuery({ ...productQuery(id), enabled: id !== '' });
  return data?.name ?? (isError ? 'Unknown product' : undefined);
}
