import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveFile } from '#lib/files/download.ts';
import { figuresCsv } from '#lib/files/figures-csv.ts';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { formatMonth, monthOf } from '#lib/time/period.ts';
import type { Analytics } from '#lib/types.ts';
import { IconButton } from '#ui/button.tsx';
import { Change, previousWords } from '#ui/figures/change.tsx';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { analyticsQuery } from './analytics-query.ts';
import { leaderOf, salesOf } from './series.ts';
import type { AnalyticsFilter } from './view.ts';

interface MonthCardsProps {
  today: string;
  filter: AnalyticsFilter;
}

/** The current calendar month in four figures, and how they changed. */
export function MonthCards({ today, filter }: MonthCardsProps) {
  const month = useQuery(analyticsQuery(monthOf(today), filter));
  const { data } = month;
  const figures = data && figuresOf(data);
  const change = (now: number, before: number | null | undefined, format: (value: number) => string) => (
    <Change now={now} before={before ?? null} format={format} period={previousWords(data?.previous ?? null)} />
  );
  return (
    <section aria-labelledby="this-month" aria-busy={!data && !month.isError}>
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 id="this-month" className="font-semibold">
          This month <span className="ml-1 text-sm font-normal text-muted">{formatMonth(today)}</span>
        </h2>
        {data && figures ? (
          <IconButton
            label="Save this month as CSV"
            className="print:hidden"
            onClick={() => saveFile(`month-${data.startDate.slice(0, 7)}.csv`, [figuresCsv(figures.rows, data)])}
          >
            <Download aria-hidden />
          </IconButton>
        ) : null}
      </div>
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
            <FigureCard
              name="Total revenue"
              value={data && formatMoney(data.totals.revenue)}
              change={data && change(data.totals.revenue, data.previous?.totals.revenue, formatMoney)}
            >
              {data && data.totals.redemptions > 0
                ? `${formatMoney(data.totals.revenue / data.totals.redemptions)} on average`
                : 'Nothing sold yet'}
            </FigureCard>
            <FigureCard
              name="Total redemptions"
              value={data && formatCount(data.totals.redemptions)}
              change={data && change(data.totals.redemptions, data.previous?.totals.redemptions, redemptions)}
            >
              {data && plural(salesOf(data).length, 'product')}
            </FigureCard>
            <FigureCard
              name="Top product"
              value={data && (figures?.product?.name ?? '–')}
              change={
                figures?.product ? change(figures.product.redemptions, figures.product.before, redemptions) : undefined
              }
            >
              {figures?.product ? leading(figures.product) : 'Nothing sold yet'}
            </FigureCard>
            <FigureCard
              name="Top reseller"
              value={data && (figures?.reseller?.name ?? '–')}
              change={
                figures?.reseller
                  ? change(figures.reseller.redemptions, figures.reseller.before, redemptions)
                  : undefined
              }
            >
              {figures?.reseller ? leading(figures.reseller) : 'No reseller sold anything yet'}
            </FigureCard>
          </FigureCards>
        )}
      </Panel>
    </section>
  );
}

const redemptions = (count: number) => plural(count, 'redemption');

function figuresOf(data: Analytics) {
  const { previous } = data;
  const product = leaderOf(salesOf(data).map((sale) => ({ ...sale, name: sale.product })));
  const reseller = leaderOf(Object.entries(data.resellerStats).map(([name, stats]) => ({ name, ...stats })));
  // one that sold nothing in an earlier period that has figures sold 0
  const ofProduct = product && { ...product, before: previous && (previous.productStats[product.name] ?? 0) };
  const ofReseller = reseller && {
    ...reseller,
    before: previous && (previous.resellerStats[reseller.name]?.redemptions ?? 0),
  };
  return {
    product: ofProduct,
    reseller: ofReseller,
    rows: [
      { name: 'Total revenue', now: data.totals.revenue, before: previous?.totals.revenue ?? null },
      { name: 'Total redemptions', now: data.totals.redemptions, before: previous?.totals.redemptions ?? null },
      ...(ofProduct
        ? [{ name: `Top product: ${ofProduct.name}`, now: ofProduct.redemptions, before: ofProduct.before }]
        : []),
      ...(ofReseller
        ? [{ name: `Top reseller: ${ofReseller.name}`, now: ofReseller.redemptions, before: ofReseller.before }]
        : []),
    ],
  };
}

const leading = ({ redemptions, revenue }: { redemptions: number; revenue: number }) =>
  `${plural(redemptions, 'redemption')} · ${formatMoney(revenue)}`;
