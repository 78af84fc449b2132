import { formatMoney } from '../../lib/format.ts';
import type { Product } from '../../lib/types.ts';
import { cn } from '../../ui/cn.ts';

interface PriceProps {
  product: Pick<Product, 'price' | 'sale_price'>;
  small?: boolean;
}

/** What it costs, with the price that a sale replaces. */
export function Price({ product, small = false }: PriceProps) {
  const { price, sale_price: sale } = product;
  if (price === null && sale === null) return <p className={cn('text-muted', small && 'text-sm')}>No price</p>;
  return (
    <p className={cn('figures', small ? 'whitespace-nowrap' : 'flex items-baseline gap-2')}>
      <span className={small ? undefined : 'text-md font-medium'}>{formatMoney(sale ?? price ?? 0)}</span>
      {sale !== null && price !== null && sale !== price ? (
        <s className={cn('text-muted', small ? 'ml-1.5 text-xs' : 'text-sm')}>
          <span className="sr-only">instead of </span>
          {formatMoney(price)}
        </s>
      ) : null}
    </p>
  );
}
