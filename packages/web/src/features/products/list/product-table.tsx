import type { ReactNode } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { q } from '#lib/queries/operation.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import type { Picked } from '#ui/lists/list-frame.tsx';
import { kindOf } from '#widgets/lists/choice-filters.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { productFilters } from './list-filters.ts';
import { productsCsv } from './product-csv.ts';
import { columns, type ListedProduct, ProductRowCard } from './product-rows.tsx';

/** A product is deleted on its own page, where its name is typed; many at once can only be taken along. */
function BulkActions({ picked, exportAll }: { picked: Picked<ListedProduct>; exportAll: ReactNode }) {
  if (picked.everything) return exportAll;
  const save = () => saveFile('products.csv', [productsCsv(picked.rows)]);
  return (
    <Button size="sm" onClick={save}>
      <span>
        Export<span className="max-md:sr-only"> selected</span>
      </span>
    </Button>
  );
}

export const productTable = defineList({
  name: 'products',
  title: 'Products',
  one: 'product',
  operation: 'listProducts',
  always: { figures: true },
  pageSize: 20,
  filters: productFilters,
  order: '-created_at',
  search: { placeholder: 'Search products...', label: 'Search products' },
  kinds: [
    kindOf.words('status', 'Status', { submitted: 'Submitted', draft: 'Draft' }),
    kindOf.words('stock', 'Stock', { empty: 'No serials left', low: 'Low', enough: 'Enough' }),
    kindOf.words('files', 'Files', { with: 'With files', without: 'Without files' }),
    kindOf.words('price', 'Price', { priced: 'Full price', sale: 'On sale', free: 'Free', unset: 'No price' }),
  ],
  counts: (filter) => q('listProductChoices', { query: queryOf(filter) }),
  columns,
  Card: ProductRowCard,
  nameOf: (row) => row.name,
  Actions: BulkActions,
  csv: { file: 'products.csv', read: (query) => api.stream.exportProducts({ query }, { accept: 'text/csv' }) },
  trail: { kind: 'products', list: 'products' },
  empty: {
    title: 'No products yet',
    none: (
      <>
        Add one, generate serials for it, and hand them to your customers. <HelpLink guide="first-batch" />
      </>
    ),
    action: (
      <LinkButton to="/products/add" variant="primary">
        Add your first product
      </LinkButton>
    ),
    filteredTitle: 'No products found',
    filtered: () => 'No product matches the search and the filters.',
  },
  skeletonRows: 8,
});
