import { Outlet, useParams } from '@tanstack/react-router';
import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';

export function ProductHub() {
  const { productId } = useParams({ strict: false });
  // One product has a title and a way back of its own.
  if (productId) return <Outlet />;
  return (
    <>
      <PageHeader title="Product Hub" />
      <TabNav label="Product Hub" className="mb-6">
        <TabLink to="/products/add">Add Product</TabLink>
        <TabLink to="/products/edit">Edit Products</TabLink>
      </TabNav>
      <Outlet />
    </>
  );
}
