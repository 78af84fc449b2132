import { useQuery } from '@tanstack/react-query';
import { formatCount, formatMoney, plural } from '../../lib/format.ts';
import { formatMonth, monthOf } from '../../lib/period.ts';
import { FigureCard, FigureCards } from '../../ui/figure-cards.tsx';
import { Panel } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { analyticsQuery } from './analytics-query.ts';
import { leaderOf, salesOf } from './series.ts';

/** The current calendar month in four figures. */
export function MonthCards({ today }: { today: string }) {
  const month = useQuery(analyticsQuery(monthOf(today)));
  const { data } = month;
  const product = data && leaderOf(salesOf(data).map((sale) => ({ ...sale, name: sale.product })));
  const reseller = data && leaderOf(Object.entries(data.resellerStats).map(([name, stats]) => ({ name, ...stats })));
  return (
    <section aria-labelledby="this-month" aria-busy={!data && !month.isError}>
      <h2 id="this-month" className="mb-3 font-semibold">
        This month <span className="ml-1 text-sm font-normal text-muted">{formatMonth(today)}</span>
      </h2>
      <Panel className="overflow-hidden">
        {month.isError ? (
          <Failed
            title="This month's figures couldn't be loaded"
            error={month.error}
            retry={month.refetch}
            retrying={month.isFetching}
            className="py-8"
          />
        ) : (
          <FigureCards>
            <FigureCard name="Total revenue" value={data && formatMoney(data.totals.revenue)}>
              {data && data.totals.redemptions > 0
                ? `${formatMoney(data.totals.revenue / data.totals.redemptions)} on average`
                : 'Nothing sold yet'}
            </FigureCard>
            <FigureCard name="Total redemptions" value={data && formatCount(data.totals.redemptions)}>
              {data && plural(salesOf(data).length, 'product')}
            </FigureCard>
            <FigureCard name="Top product" value={data && (product?.name ?? '–')}>
              {product ? leading(product) : 'Nothing sold yet'}
            </FigureCard>
            <FigureCard name="Top reseller" value={data && (reseller?.name ?? '–')}>
              {reseller ? leading(reseller) : 'No reseller sold anything yet'}
            </FigureCard>
          </FigureCards>
        )}
      </Panel>
    </section>
  );
}

const leading = ({ redemptions, revenue }: { redemptions: number; revenue: number }) =>
  `${plural(redemptions, 'redemption')} · ${formatMoney(revenue)}`;
