import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount, formatMoney, plural } from '../../lib/format.ts';
import { Panel } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { analyticsQuery } from './analytics-query.ts';
import { formatMonth, monthOf } from './period.ts';
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
          <dl className="-mt-px -ml-px grid grid-cols-2 lg:grid-cols-4">
            <Card name="Total revenue" value={data && formatMoney(data.totals.revenue)}>
              {data && data.totals.redemptions > 0
                ? `${formatMoney(data.totals.revenue / data.totals.redemptions)} on average`
                : 'Nothing sold yet'}
            </Card>
            <Card name="Total redemptions" value={data && formatCount(data.totals.redemptions)}>
              {data && plural(salesOf(data).length, 'product')}
            </Card>
            <Card name="Top product" value={data && (product?.name ?? '–')}>
              {product ? leading(product) : 'Nothing sold yet'}
            </Card>
            <Card name="Top reseller" value={data && (reseller?.name ?? '–')}>
              {reseller ? leading(reseller) : 'No reseller sold anything yet'}
            </Card>
          </dl>
        )}
      </Panel>
    </section>
  );
}

const leading = ({ redemptions, revenue }: { redemptions: number; revenue: number }) =>
  `${plural(redemptions, 'redemption')} · ${formatMoney(revenue)}`;

function Card({ name, value, children }: { name: string; value: string | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0 border-t border-l border-line px-4 py-4 sm:px-5">
      <dt className="text-sm text-muted">{name}</dt>
      {value === undefined ? (
        <dd className="flex h-14 flex-col justify-center gap-2.5">
          <span className="skeleton h-5 w-24" />
          <span className="skeleton h-3.5 w-32 max-w-full" />
        </dd>
      ) : (
        <>
          <dd className="figures mt-1 truncate text-lg font-semibold tracking-[-0.02em]" title={value}>
            {value}
          </dd>
          <dd className="figures min-h-6 text-xs text-muted">{children}</dd>
        </>
      )}
    </div>
  );
}
