import { formatMoney } from '#lib/format/format.ts';
import { cn } from '../cn.ts';

interface PriceProps {
  /** The selling price; null: no price. */
  price: number | null;
  regular: number | null;
  small?: boolean;
}

/** A price, with the regular price that a sale replaces. */
export function Price({ price, regular, small = false }: PriceProps) {
  if (price === null) return <span className={cn('text-muted', small && 'text-sm')}>No price</span>;
  return (
    <span className={cn('figures', small ? 'whitespace-nowrap' : 'flex items-baseline gap-2')}>
      <span className={small ? undefined : 'text-md font-medium'}>{formatMoney(price)}</span>
      {regular !== null && regular !== price ? (
        <s className={cn('text-muted', small ? 'ml-1.5 text-xs' : 'text-sm')}>
          <span className="sr-only">instead of </span>
          {formatMoney(regular)}
        </s>
      ) : null}
    </span>
  );
}
