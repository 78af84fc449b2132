import type { Deal } from '#lib/types.ts';
import { Badge, Tag } from '#ui/badge.tsx';
import { Price } from '#ui/figures/price.tsx';
import { Clocks } from '#ui/partnerships/deal-dates.tsx';
import { Card, Commission } from './card-parts.tsx';

export function DealCard({ deal }: { deal: Deal }) {
  return (
    <Card
      item={deal}
      deal={deal.id}
      badges={
        <span className="flex w-full flex-wrap gap-1">
          {deal.is_expired ? (
            <Badge tone="bad" means="Its promo has expired.">
              Expired
            </Badge>
          ) : (
            <Badge tone="good" means="It can be sold now.">
              Current
            </Badge>
          )}
          {deal.batch_tag ? (
            <Tag className="max-w-full">
              <span className="truncate" title={deal.batch_tag}>
                {deal.batch_tag}
              </span>
            </Tag>
          ) : null}
        </span>
      }
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Price price={deal.promo_price} regular={deal.sale_price ?? deal.price} />
        <Commission rate={deal.commission_rate} />
      </p>
      <Clocks deal={deal} owner={deal.developer_time_zone} />
    </Card>
  );
}
