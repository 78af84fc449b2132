import { createFileRoute } from '@tanstack/react-router';
import { orderSearch } from '#features/shops/orders/list-filters.ts';
import { OrdersPage } from '#features/shops/orders/orders-page.tsx';
import { useListPlace } from '#lib/lists/list-place.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/orders/')({
  ...searchSchema(orderSearch),
  beforeLoad: requireDeveloper,
  component: () => <OrdersPage place={useListPlace(Route)} />,
});
