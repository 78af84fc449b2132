import type { CatalogProduct } from '#lib/types.ts';
import { Price } from '#ui/figures/price.tsx';
import { Card, Commission } from './card-parts.tsx';

export function ProductCard({ product }: { product: CatalogProduct }) {
  return (
    <Card item={product}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Price price={product.sale_price ?? product.price} regular={product.price} />
        <Commission rate={product.commission_rate} />
      </p>
    </Card>
  );
}
