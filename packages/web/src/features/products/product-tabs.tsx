import { TabLink, TabNav } from '../../ui/tabs.tsx';

/** The two sides of a product. */
export function ProductTabs({ id }: { id: string }) {
  return (
    <TabNav label="Product" className="mb-6">
      <TabLink to="/dashboard/products/$productId" params={{ productId: id }}>
        Overview
      </TabLink>
      <TabLink to="/products/edit/$productId" params={{ productId: id }}>
        Edit
      </TabLink>
    </TabNav>
  );
}
