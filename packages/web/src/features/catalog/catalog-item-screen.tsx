import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '#lib/errors.ts';
import { formatMoney } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { catalogItemQuery } from '#lib/queries/catalog.ts';
import type { CatalogItem } from '#lib/types.ts';
import { Badge, Tag } from '#ui/badge.tsx';
import { BackLink, Button, LinkButton, TextLink } from '#ui/button.tsx';
import { Facts } from '#ui/details/facts.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { clocksOf } from '#ui/partnerships/deal-dates.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { SellOne } from '#widgets/sales/sell-one.tsx';
import { AvailableSerials } from './available-serials.tsx';
import { RedeemedSerials } from './redeemed-serials.tsx';
import { RequestDeal } from './request-deal.tsx';

interface CatalogItemScreenProps {
  id: string;
  /** One deal of the product, instead of all that was given. */
  deal: string | undefined;
}

/** A product or a deal: what it is, and the serials of it that the reseller has. */
export function CatalogItemScreen({ id, deal }: CatalogItemScreenProps) {
  const list = useSearch({ from: '/_app/reseller/products' });
  const item = useQuery(catalogItemQuery(id, deal));
  useTitle(item.data?.product.name ?? 'Product');
  return (
    <>
      <BackLink to="/reseller/products" search={{ ...list, product: undefined, deal: undefined }} className="mb-4">
        {deal ? 'Deals' : 'Products'}
      </BackLink>
      {item.data ? (
        <Whole item={item.data} deal={deal} />
      ) : isStatus(item.error, 404) || isStatus(item.error, 400) ? (
        <Panel>
          <Empty heading="h1" title={deal ? 'Deal not found' : 'Product not found'} action={<ToList />}>
            It may have been removed, or you no longer work with its developer.
          </Empty>
        </Panel>
      ) : item.isError ? (
        <Panel>
          <Failed
            heading="h1"
            title="This product couldn't be loaded"
            error={item.error}
            retry={item.refetch}
            retrying={item.isFetching}
          />
        </Panel>
      ) : (
        <div role="status">
          <span className="sr-only">Loading the product</span>
          <span className="skeleton block h-8 w-64 max-w-full" />
          <span className="skeleton mt-3 block h-4 w-40" />
          <span className="skeleton mt-8 block h-64 rounded-lg" />
        </div>
      )}
    </>
  );
}

const ToList = () => <LinkButton to="/reseller/products">All products</LinkButton>;

function Whole({ item, deal: dealId }: { item: CatalogItem; deal: string | undefined }) {
  const { product, deal, serials } = item;
  const { counts } = serials;
  const [asking, setAsking] = useState(false);
  const of = { id: product.product_id, deal: dealId, name: product.name };
  return (
    <>
      <div className="flex items-start gap-4">
        <ProductImage
          src={product.image_url}
          name={product.name}
          className="size-14 shrink-0 rounded-md border border-line"
        />
        <div className="min-w-0 flex-1">
          <PageHeader
            title={product.name}
            actions={
              <>
                <Button onClick={() => setAsking(true)}>Request a Deal</Button>
                {counts.available > 0 ? (
                  <SellOne
                    primary
                    product={{ id: product.product_id, name: product.name }}
                    {...(deal ? { price: deal.promo_price } : {})}
                  />
                ) : null}
              </>
            }
          >
            <TextLink to="/reseller/developers/$id" params={{ id: product.developer_id }}>
              {product.developer_name}
            </TextLink>
            {product.short_desc ? ` · ${product.short_desc}` : null}
          </PageHeader>
        </div>
      </div>
      <RequestDeal open={asking} onOpenChange={setAsking} product={product} />
      <section className="mb-8">
        {deal ? (
          <p className="mb-2 flex flex-wrap gap-2">
            {deal.is_expired ? (
              <Badge tone="bad" means="Its promo has expired.">
                Expired deal
              </Badge>
            ) : (
              <Badge tone="good" means="It can be sold now.">
                Current deal
              </Badge>
            )}
            {deal.batch_tag ? <Tag>{deal.batch_tag}</Tag> : null}
          </p>
        ) : null}
        <Facts
          facts={[
            ['Price', product.price === null ? 'No price' : formatMoney(product.price)],
            ['Sale price', product.sale_price === null ? null : formatMoney(product.sale_price)],
            ['Deal price', deal ? formatMoney(deal.promo_price) : null],
            ['Commission', `${product.commission_rate}%`],
            ...(deal ? clocksOf(deal, deal.developer_time_zone) : [['License', 'Never ends'] as [string, string]]),
            ['Download size', product.file_size_gb === null ? null : `${product.file_size_gb} GB`],
          ]}
        />
        <About product={product} />
      </section>
      <AvailableSerials
        {...of}
        owner={product.developer_time_zone}
        total={counts.available}
        notForSale={(deal ?? product).not_for_sale_serials}
        expired={deal?.is_expired ?? false}
      />
      <RedeemedSerials {...of} total={counts.redeemed} />
    </>
  );
}

function About({ product }: { product: CatalogItem['product'] }) {
  if (!product.long_desc && product.feature_list.length === 0) return null;
  return (
    <div className="mt-5 max-w-2xl">
      {product.long_desc ? <p className="whitespace-pre-line wrap-anywhere text-muted">{product.long_desc}</p> : null}
      {product.feature_list.length > 0 ? (
        <ul className="mt-3 list-disc pl-5 text-muted">
          {product.feature_list.map((feature, index) => (
            <li key={index}>{feature}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
