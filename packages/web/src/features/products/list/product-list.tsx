import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTitle } from '#lib/hooks.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { ExportList, List } from '#widgets/lists/list.tsx';
import type { ProductFilter } from './list-filters.ts';
import { ProductGrid } from './product-grid.tsx';
import { type ProductLook, ProductLooks } from './product-looks.tsx';
import { productTable } from './product-table.tsx';

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
  onLook: (look: ProductLook) => void;
  place: ListPlace<ProductFilter>;
}

/** The products of a developer, as cards or as a table. */
export function ProductList({ look, onLook, place }: ProductListProps) {
  useTitle('Products');
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
  if (shown === 'cards') {
    const { filter, onFilter } = place;
    return (
      <ProductGrid
        search={filter.search}
        onSearch={(search) => onFilter({ search })}
        onLook={onLook}
        onCreate={onCreate}
      />
    );
  }
  return (
    <List of={productTable} place={place} onCreate={onCreate}>
      <ProductLooks look="table" onLook={onLook} />
      <ExportList of={productTable} filter={place.filter} sort={place.sort} />
    </List>
  );
}
