import { createFileRoute } from '@tanstack/react-router';
import { productSearch } from '#features/products/list/list-filters.ts';
import { ProductList } from '#features/products/list/product-list.tsx';
import { useListPlace } from '#lib/lists/list-place.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';

export const Route = createFileRoute('/_app/products/edit/')({
  ...searchSchema(productSearch),
  component: ProductsScreen,
});

function ProductsScreen() {
  const {
    filter: { look, ...filter },
    onFilter,
    ...place
  } = useListPlace(Route);
  return <ProductList look={look} onLook={(next) => onFilter({ look: next })} place={{ ...place, filter, onFilter }} />;
}
