import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import type { Analytics } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Panel } from '#ui/page.tsx';
import { type Sale, salesOf } from './series.ts';
import type { AnalyticsView, SaleSort } from './view.ts';

interface SaleSummariesProps {
  data: Analytics | undefined;
  view: AnalyticsView;
  onView: (change: Partial<AnalyticsView>) => void;
}

const heads: [SaleSort, string][] = [
  ['product', 'Product'],
  ['redemptions', 'Redemptions'],
  ['revenue', 'Revenue'],
];
const firstRows = 10;
const moreRows = 100;

function sorted(sales: Sale[], { sort, order }: AnalyticsView): Sale[] {
  const turn = order === 'desc' ? -1 : 1;
  const byName = (a: Sale, b: Sale) => a.product.localeCompare(b.product);
  return sales.toSorted((a, b) =>
    sort === 'product' ? turn * byName(a, b) : turn * (a[sort] - b[sort]) || byName(a, b),
  );
}

export function SaleSummaries({ data, view, onView }: SaleSummariesProps) {
  const [count, setCount] = useState(firstRows);
  const sales = data && sorted(salesOf(data), view);
  const shown = sales?.slice(0, count);
  const hidden = (sales?.length ?? 0) - (shown?.length ?? 0);
  const press = (key: SaleSort) =>
    // names sort from A, figures from the largest
    onView(
      key === view.sort
        ? { order: view.order === 'desc' ? 'asc' : 'desc' }
        : { sort: key, order: key === 'product' ? 'asc' : 'desc' },
    );
  return (
    <Panel className="overflow-hidden">
      <h3 id="sale-summaries" className="px-5 pt-5 pb-2 text-sm font-medium text-muted">
        Sale Summaries
      </h3>
      <table className="w-full table-fixed text-left" aria-labelledby="sale-summaries">
        <thead>
          <tr className="border-b border-line">
            {heads.map(([key, name]) => (
              <th
                key={key}
                scope="col"
                aria-sort={key === view.sort ? (view.order === 'desc' ? 'descending' : 'ascending') : undefined}
                className={cn(
                  'px-2.5 py-1',
                  key === 'product'
                    ? 'pl-4 sm:pl-5'
                    : 'w-24 pr-1 text-right last:w-25 last:pr-4 sm:w-30 sm:pr-2.5 sm:last:w-34 sm:last:pr-5',
                )}
              >
                <SortButton
                  name={name}
                  direction={key === view.sort ? (view.order === 'desc' ? 'down' : 'up') : null}
                  right={key !== 'product'}
                  onPress={() => press(key)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures divide-y divide-line">
          {shown
            ? shown.map((sale) => (
                <tr key={sale.product}>
                  <th scope="row" className="h-12 py-2 pr-1 pl-4 font-normal wrap-anywhere sm:pr-2.5 sm:pl-5">
                    {sale.product}
                  </th>
                  <td className="pr-1 text-right text-muted sm:pr-2.5">{formatCount(sale.redemptions)}</td>
                  <td className="whitespace-nowrap pr-4 text-right sm:pr-5">{formatMoney(sale.revenue)}</td>
                </tr>
              ))
            : Array.from({ length: 3 }, (_, row) => (
                <tr key={row}>
                  <td className="h-12 pl-5">
                    <span className="skeleton block h-4 w-2/3" />
                  </td>
                  <td className="px-2.5">
                    <span className="skeleton ml-auto block h-4 w-8" />
                  </td>
                  <td className="px-2.5 pr-5">
                    <span className="skeleton ml-auto block h-4 w-16" />
                  </td>
                </tr>
              ))}
        </tbody>
      </table>
      {hidden > 0 ? (
        <div className="border-t border-line px-5 py-3">
          <Button size="sm" onClick={() => setCount(count + moreRows)}>
            {hidden > moreRows ? `Show ${moreRows} more products` : `Show all ${plural(sales?.length ?? 0, 'product')}`}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

interface SortButtonProps {
  name: string;
  direction: 'up' | 'down' | null;
  right: boolean;
  onPress: () => void;
}

function SortButton({ name, direction, right, onPress }: SortButtonProps) {
  const Arrow = direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={onPress}
      className={cn(
        'group inline-flex h-8 items-center gap-1 rounded-sm text-xs font-medium whitespace-nowrap hover:text-text',
        direction ? 'text-text' : 'text-muted',
        right && 'flex-row-reverse',
      )}
    >
      {name}
      <Arrow
        className={cn(
          'size-3.5',
          direction === null && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
        )}
        aria-hidden
      />
    </button>
  );
}
