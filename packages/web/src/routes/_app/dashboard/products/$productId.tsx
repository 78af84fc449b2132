import { createFileRoute } from '@tanstack/react-router';
import { ProductScreen } from '#features/products/overview/product-screen.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/products/$productId')({
  beforeLoad: requireDeveloper,
  component: Screen,
});

function Screen() {
  const { productId } = Route.useParams();
  return <ProductScreen key={productId} id={productId} />;
}
