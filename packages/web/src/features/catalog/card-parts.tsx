import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '#lib/format/format.ts';
import type { CatalogProduct, Deal } from '#lib/types.ts';
import { LinkButton, TextLink } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { SellOne } from '#widgets/sales/sell-one.tsx';

interface CardProps {
  item: CatalogProduct | Deal;
  deal?: string;
  badges?: ReactNode;
  children: ReactNode;
}

/** The parts that cards of products and of deals share. */
export function Card({ item, deal, badges, children }: CardProps) {
  // kept for the way back to the list
  const list = useSearch({ from: '/_app/reseller/products', shouldThrow: false });
  return (
    <li>
      <Panel className="flex h-full flex-col gap-3.5 p-4">
        <div className="flex flex-wrap items-start gap-3">
          <ProductImage
            src={item.image_url}
            name={item.name}
            className="size-12 shrink-0 rounded-md border border-line"
          />
          <div className="min-w-36 flex-1">
            <h2 className="font-semibold wrap-anywhere">{item.name}</h2>
            <p className="wrap-anywhere text-sm">
              <TextLink to="/reseller/developers/$id" params={{ id: item.developer_id }}>
                {item.developer_name}
              </TextLink>
            </p>
          </div>
          {badges}
        </div>
        {children}
        <div className="mt-auto flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3.5">
          <p className="figures w-full text-sm text-muted">
            {formatCount(item.available_serials)} available
            {item.not_for_sale_serials > 0 ? ` · ${formatCount(item.not_for_sale_serials)} not for sale now` : ''} ·{' '}
            {formatCount(item.total_redemptions)} redeemed
          </p>
          <div className="flex flex-wrap gap-2">
            {item.available_serials > 0 ? (
              <SellOne
                product={{ id: item.product_id, name: item.name }}
                {...(item.promo_price === null ? {} : { price: item.promo_price })}
                size="sm"
              />
            ) : null}
            <LinkButton
              to="/reseller/products"
              search={{ ...list, tab: deal ? 'deals' : undefined, product: item.product_id, deal }}
              size="sm"
            >
              View Details<span className="sr-only"> of {item.name}</span>
            </LinkButton>
          </div>
        </div>
      </Panel>
    </li>
  );
}

export function Commission({ rate }: { rate: number }) {
  return <span className="figures text-sm text-muted">{rate}% commission</span>;
}
