import { useQuery } from '@tanstack/react-query';
import { saleQuery } from '#lib/queries/selling.ts';
import { Failed } from '#ui/states.tsx';
import { SaleResult } from './sale-result.tsx';

/** A sale by hand in its state now. */
export function SaleView({ reference }: { reference: string }) {
  const sale = useQuery(saleQuery(reference));
  if (sale.data) return <SaleResult sale={sale.data} />;
  if (sale.isError) {
    return (
      <Failed
        title="This sale couldn't be loaded"
        error={sale.error}
        retry={sale.refetch}
        retrying={sale.isFetching}
        className="px-0"
      />
    );
  }
  return (
    <div role="status">
      <span className="sr-only">Loading the sale</span>
      <span className="skeleton block h-80 rounded-lg" />
      <span className="skeleton mt-5 block h-11" />
    </div>
  );
}
