import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebounced } from '#lib/hooks.ts';
import { catalogProductsQuery } from '#lib/queries/catalog.ts';
import { isBehind } from '#lib/queries/freshness/stale-search.ts';
import type { CatalogProduct } from '#lib/types.ts';
import { Combobox } from '#ui/forms/combobox.tsx';

interface CatalogPickerProps {
  id?: string;
  onChange: (product: { id: string; name: string }) => void;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
  'aria-describedby'?: string | undefined;
}

/** Picks one of the products that a reseller may sell. */
export function CatalogPicker({ onChange, ...control }: CatalogPickerProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const list = useInfiniteQuery(catalogProductsQuery({ search, sort: 'alphabetical', developer: '' }));
  return (
    <Combobox<CatalogProduct>
      {...control}
      items={list.data?.pages.flatMap((page) => page.rows) ?? []}
      value={null}
      onChange={({ product_id, name }) => onChange({ id: product_id, name })}
      onSearch={setTyped}
      behind={isBehind(typed, search, list)}
      itemKey={({ product_id }) => product_id}
      itemLabel={({ name }) => name}
      itemDetail={({ developer_name }) => developer_name}
      placeholder="Choose a product"
      empty={
        list.isError
          ? "Products couldn't be loaded."
          : list.isPending
            ? 'Loading products…'
            : typed
              ? 'No product matches.'
              : 'You sell for no developer yet.'
      }
    />
  );
}
