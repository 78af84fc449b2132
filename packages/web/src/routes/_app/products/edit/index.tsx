import { createFileRoute } from '@tanstack/react-router';
import { ProductGrid } from '../../../../features/products/product-grid.tsx';
import { textParam } from '../../../../lib/search-params.ts';

export const Route = createFileRoute('/_app/products/edit/')({
  validateSearch: (search: Record<string, unknown>): { search?: string | undefined } => ({
    search: textParam(search.search),
  }),
  component: GridScreen,
});

function GridScreen() {
  const { search = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProductGrid
      search={search}
      onSearch={(text) => navigate({ search: { search: text || undefined }, replace: true })}
    />
  );
}
