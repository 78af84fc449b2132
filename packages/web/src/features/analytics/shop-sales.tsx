import { useQuery } from '@tanstack/react-query';
import { ChartPanel } from '#charts/chart-panel.tsx';
import type { ChartColumn, ChartData } from '#charts/types.ts';
import { formatMoney, formatMoneyShort, plural } from '#lib/format/format.ts';
import type { Period } from '#lib/time/period.ts';
import type { ShopReport } from '#lib/types.ts';
import { Panel, SectionHead } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { shopSalesCsv, shopSalesQuery } from './reports-query.ts';

const dollars = (name: string): ChartColumn => ({ name, format: formatMoney, tick: formatMoneyShort });
const total = (shops: ShopReport['shops'], of: 'paid' | 'revenue' | 'refunded' | 'disputed') =>
  shops.reduce((cents, shop) => cents + Math.round(shop[of] * 100), 0) / 100;

/** Sales in connected shops. Accounts without a shop have no such section. */
export function ShopSales({ period }: { period: Period }) {
  const report = useQuery(shopSalesQuery(period));
  const { data } = report;
  if (report.isError && !data)
    return (
      <Panel className="mt-10">
        <Failed
          title="The figures of your shops couldn't be loaded"
          error={report.error}
          retry={report.refetch}
          retrying={report.isFetching}
        />
      </Panel>
    );
  if (!data || data.shops.length === 0) return null;
  const { shops } = data;
  const given = [
    `${formatMoney(total(shops, 'refunded'))} refunded`,
    total(shops, 'disputed') > 0 ? `${formatMoney(total(shops, 'disputed'))} disputed` : '',
  ].filter(Boolean);
  return (
    <section aria-labelledby="shops" className="mt-10">
      <SectionHead
        id="shops"
        title="Shops"
        hint="Paid is what your shops sold. Revenue is what of it was redeemed, less what was given back."
      />
      <ChartPanel
        title="Sales by shop"
        kind="bars"
        data={chartOf(shops)}
        figure={formatMoney(total(shops, 'revenue'))}
        hint={[plural(shops.length, 'shop'), ...given].join(' · ')}
        label={`Sales by shop. ${shops[0]?.shop} has the most revenue, ${formatMoney(shops[0]?.revenue ?? 0)}.`}
        csv={{ file: 'shops.csv', stream: () => shopSalesCsv(period) }}
      />
    </section>
  );
}

const chartOf = (shops: ShopReport['shops']): ChartData => ({
  axis: 'Shop',
  columns: [dollars('Revenue'), dollars('Paid'), dollars('Refunded'), dollars('Disputed')],
  points: shops.map((shop) => ({
    label: shop.shop,
    title: shop.shop,
    values: [shop.revenue, shop.paid, shop.refunded, shop.disputed],
  })),
});
