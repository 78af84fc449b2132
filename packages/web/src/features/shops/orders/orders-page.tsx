import { useTitle } from '#lib/hooks.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { LinkButton } from '#ui/button.tsx';
import { PageHeader } from '#ui/page.tsx';
import { ExportList, List } from '#widgets/lists/list.tsx';
import { useShopLinks } from '../links.ts';
import type { OrderFilter } from './list-filters.ts';
import { orderList } from './order-list.tsx';

/** The orders of all shops. */
export function OrdersPage({ place }: { place: ListPlace<OrderFilter> }) {
  useTitle('Orders');
  const links = useShopLinks();
  return (
    <>
      <PageHeader
        title="Orders"
        guide="shops"
        actions={
          <LinkButton to={links.list} search={{}}>
            Shops
          </LinkButton>
        }
      >
        What was sold in your shops, and the serials that were given for it.
      </PageHeader>
      <List of={orderList} place={place}>
        <ExportList of={orderList} filter={place.filter} />
      </List>
    </>
  );
}
