import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebounced } from '../lib/hooks.ts';
import { productQuery, productsQuery } from '../lib/queries/products.ts';

/** The products whose names contain what is typed: at most a hundred. */
export function useProductSearch() {
  const [typed, setTyped] = useState('');
  const list = useQuery(productsQuery(useDebounced(typed.trim())));
  return {
    typed,
    search: setTyped,
    products: list.data?.products ?? [],
    isError: list.isError,
    isPending: list.isPending,
  };
}

/** The name of a product by its id; undefined while it loads. */
export function useProductName(id: string): string | undefined {
  const { data, isError } = useQuery({ ...productQuery(id), enabled: id !== '' });
  return data?.name ?? (isError ? 'Unknown product' : undefined);
}
