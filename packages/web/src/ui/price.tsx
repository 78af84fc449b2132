import { formatMoney } from '../lib/format.ts';

interface PriceProps {
  /** What it is sold for; null: no price. */
  price: number | null;
  regular: number | null;
}

export function Price({ price, regular }: PriceProps) {
  if (price === null) return <span className="text-muted">No price</span>;
  return (
    <span className="figures flex items-baseline gap-2">
      <span className="text-md font-medium">{formatMoney(price)}</span>
      {regular !== null && regular !== price ? (
        <s className="text-sm text-muted">
          <span className="sr-only">instead of </span>
          {formatMoney(regular)}
        </s>
      ) : null}
    </span>
  );
}
