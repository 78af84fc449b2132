import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import type { ProductOverview } from '#lib/types.ts';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { Panel } from '#ui/page.tsx';
import { changeLine } from './change-line.ts';

/** The sales of a product, compared with the time before, and how long its stock lasts. */
export function SalesCards({ product }: { product: ProductOverview }) {
  const { sales, stock } = product;
  return (
    <section aria-labelledby="product-sales">
      <h2 id="product-sales" className="mb-3 font-semibold">
        Sales and stock <span className="ml-1 text-sm font-normal text-muted">Days in {product.time_zone}</span>
      </h2>
      <Panel className="overflow-hidden">
        <FigureCards>
          <FigureCard name="Today" value={plural(sales.today.redemptions, 'redemption')}>
            <Line>{formatMoney(sales.today.revenue)}</Line>
            <Line>{changeLine(sales.today.redemptions, sales.today.previous.redemptions, 'yesterday')}</Line>
          </FigureCard>
          <FigureCard name="Last 30 days" value={plural(sales.last_30_days.redemptions, 'redemption')}>
            <Line>{formatMoney(sales.last_30_days.revenue)}</Line>
            <Line>
              {changeLine(
                sales.last_30_days.redemptions,
                sales.last_30_days.previous.redemptions,
                'in the 30 days before',
              )}
            </Line>
          </FigureCard>
          <FigureCard name="Ever" value={plural(sales.all.redemptions, 'redemption')}>
            <Line>{formatMoney(sales.all.revenue)}</Line>
          </FigureCard>
          <FigureCard name="Stock" value={plural(stock.available, 'serial')}>
            <Line>{lasts(stock)}</Line>
            <Line>{stock.days_left === null ? '' : `${formatCount(stock.per_day)} redeemed a day`}</Line>
          </FigureCard>
        </FigureCards>
      </Panel>
    </section>
  );
}

function lasts({ available, days_left }: ProductOverview['stock']): string {
  if (available === 0) return 'Nothing left to redeem';
  return days_left === null ? 'None redeemed in 30 days' : `Lasts ${plural(days_left, 'day')} at this pace`;
}

function Line({ children }: { children: string }) {
  return <span className="block min-h-[18px]">{children}</span>;
}
