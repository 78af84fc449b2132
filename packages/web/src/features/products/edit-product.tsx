import { useQuery } from '@tanstack/react-query';
import { isStatus } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { productQuery } from '#lib/queries/products.ts';
import { BackLink, LinkButton } from '#ui/button.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { EditForm } from './edit-form.tsx';

export function EditProduct({ id }: { id: string }) {
  const product = useQuery(productQuery(id));
  useTitle(product.data?.name ?? 'Edit product');
  return (
    <>
      <BackLink to="/products/edit" className="mb-5">
        Back to Products
      </BackLink>
      {product.data ? (
        <EditForm product={product.data} />
      ) : product.isError ? (
        isStatus(product.error, 404) || isStatus(product.error, 400) ? (
          <Empty
            heading="h1"
            title="Product not found"
            action={<LinkButton to="/products/edit">Back to Products</LinkButton>}
          >
            It may have been deleted, or the link is incomplete.
          </Empty>
        ) : (
          <Failed heading="h1" error={product.error} retry={product.refetch} retrying={product.isFetching} />
        )
      ) : (
        <FormSkeleton />
      )}
    </>
  );
}

function FormSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-8">
      <span className="sr-only">Loading the product</span>
      <span className="skeleton h-8 w-64" />
      {[3, 1, 2].map((fields) => (
        <div key={fields} className="grid grid-cols-1 gap-x-10 gap-y-5 lg:grid-cols-[220px_minmax(0,1fr)]">
          <span className="skeleton h-5 w-28" />
          <div className="flex flex-col gap-5">
            {Array.from({ length: fields }, (_, index) => (
              <div key={index} className="flex flex-col gap-2">
                <span className="skeleton h-4 w-24" />
                <span className="skeleton h-9 w-full" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
