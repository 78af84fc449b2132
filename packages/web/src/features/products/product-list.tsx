import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ProductGrid } from './product-grid.tsx';
import type { ProductLook } from './product-looks.tsx';
import { ProductTable } from './product-table.tsx';
import type { ProductFilter, ProductSort } from './product-table-query.ts';

const store = 'products as';

/** How this browser showed products last. */
function keptLook(): ProductLook {
  try {
    return localStorage.getItem(store) === 'table' ? 'table' : 'cards';
  } catch {
    return 'cards';
  }
}

interface ProductListProps {
  /** As in the address; without it, as in this browser the last time. */
  look: ProductLook | undefined;
  filter: ProductFilter;
  sort: ProductSort;
  page: number;
  cursor: string | undefined;
  onFilter: (filter: ProductFilter, sort?: string) => void;
  onSearch: (text: string) => void;
  onSort: (by: string) => void;
  onPage: (page: number, cursor?: string) => void;
  onLook: (look: ProductLook) => void;
}

/** The products of a developer, as cards or as a table. */
export function ProductList({ look, onLook, onSearch, ...table }: ProductListProps) {
  const navigate = useNavigate();
  const shown = look ?? keptLook();
  useEffect(() => {
    if (!look) return;
    try {
      localStorage.setItem(store, look);
    } catch {
      // it is in the address all the same
    }
  }, [look]);
  const onCreate = () => navigate({ to: '/products/add' });
  return shown === 'table' ? (
    <ProductTable {...table} onLook={onLook} onCreate={onCreate} />
  ) : (
    <ProductGrid search={table.filter.search} onSearch={onSearch} onLook={onLook} onCreate={onCreate} />
  );
}
