import { useQuery } from '@tanstack/react-query';
import { ChartPanel } from '#charts/chart-panel.tsx';
import type { ChartData } from '#charts/types.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import type { StockReport } from '#lib/types.ts';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { stockCsv, stockQuery } from './reports-query.ts';

/** When each product runs out at the pace of the last 30 days, the first one first. */
export function StockLeft({ product }: { product: string }) {
  const stock = useQuery(stockQuery(product));
  const { data } = stock;
  if (stock.isError) {
    return (
      <Panel>
        <Failed
          title="The stock couldn't be loaded"
          error={stock.error}
          retry={stock.refetch}
          retrying={stock.isFetching}
        />
      </Panel>
    );
  }
  const moving = data?.filter((row) => row.days_left !== null) ?? [];
  const resting = (data?.length ?? 0) - moving.length;
  const [first] = moving;
  return (
    <ChartPanel
      title="Days of stock left"
      kind="bars"
      data={data && chartOf(moving)}
      figure={data && first ? plural(first.days_left ?? 0, 'day') : data && '–'}
      hint={
        first
          ? `${first.product} is the first to run out${resting > 0 ? ` · ${plural(resting, 'product')} without sales in 30 days` : ''}`
          : 'at the pace of the last 30 days'
      }
      label={
        first
          ? `Days of stock left by product. ${first.product} has the least, ${plural(first.days_left ?? 0, 'day')}.`
          : ''
      }
      empty={
        data && moving.length === 0
          ? 'Nothing was redeemed in the last 30 days, so no stock is running out.'
          : undefined
      }
      csv={{ file: 'stock.csv', stream: () => stockCsv(product) }}
    />
  );
}

const chartOf = (rows: StockReport): ChartData => ({
  axis: 'Product',
  columns: [
    { name: 'Days left', format: formatCount, whole: true },
    { name: 'Available', format: formatCount },
    { name: 'Redeemed in 30 days', format: formatCount },
  ],
  points: rows.map((row) => ({
    label: row.product,
    title: row.product,
    values: [row.days_left ?? 0, row.available, row.redeemed],
  })),
});
