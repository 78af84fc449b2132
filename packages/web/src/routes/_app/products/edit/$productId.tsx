import { createFileRoute } from '@tanstack/react-router';
import { EditProduct } from '#features/products/edit-product.tsx';

export const Route = createFileRoute('/_app/products/edit/$productId')({ component: EditScreen });

function EditScreen() {
  const { productId } = Route.useParams();
  return <EditProduct key={productId} id={productId} />;
}
