import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { formatMoney, plural } from '#lib/format/format.ts';
import { dateFormat } from '#lib/format/locale.ts';
import { soldQuery } from '#lib/queries/selling.ts';
import type { HandSaleRow } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { SaleView } from '#widgets/sales/sale-view.tsx';

const clock = dateFormat({ timeStyle: 'short' });

export function useToday() {
  const list = useInfiniteQuery(soldQuery);
  return { list, totals: list.data?.pages[0]?.totals };
}

/** Today's sales by hand, with their sum. A sale opens with its code. */
export function Today() {
  const { list, totals } = useToday();
  const [opened, setOpened] = useState<string | null>(null);
  if (opened) {
    return (
      <>
        <Button variant="ghost" className="mb-2 -ml-3 h-11" onClick={() => setOpened(null)}>
          <ArrowLeft className="size-4" aria-hidden />
          Today
        </Button>
        <SaleView reference={opened} />
      </>
    );
  }
  const rows = list.data?.pages.flatMap((page) => page.rows);
  if (list.isError && !rows) {
    return (
      <Failed
        title="Today's sales couldn't be loaded"
        error={list.error}
        retry={list.refetch}
        retrying={list.isFetching}
      />
    );
  }
  if (!rows || !totals) {
    return (
      <div role="status" className="flex flex-col gap-3">
        <span className="sr-only">Loading today's sales</span>
        <span className="skeleton block h-20 rounded-lg" />
        <span className="skeleton block h-14 rounded-lg" />
        <span className="skeleton block h-14 rounded-lg" />
      </div>
    );
  }
  return (
    <>
      <dl className="figures flex items-end justify-between rounded-lg border border-line-strong bg-surface p-4">
        <div>
          <dt className="text-sm">Sold today</dt>
          <dd className="text-xl font-semibold">{totals.sales}</dd>
        </div>
        <div className="text-right">
          <dt className="text-sm">Total</dt>
          <dd className="text-xl font-semibold">{formatMoney(totals.revenue)}</dd>
        </div>
      </dl>
      {totals.returned > 0 ? (
        <p className="figures mt-2 text-sm">{plural(totals.returned, 'undone sale')} not counted.</p>
      ) : null}
      {rows.length === 0 ? (
        <Empty title="Nothing sold today" className="py-10">
          What you sell here, one by one, is listed and added up.
        </Empty>
      ) : (
        <ul className="mt-3 divide-y divide-line rounded-lg border border-line-strong bg-surface">
          {rows.map((row) => (
            <li key={row.reference}>
              <SoldRow row={row} onOpen={() => setOpened(row.reference)} />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3">
        <ShowMore list={list} />
      </div>
    </>
  );
}

/** A sale opens to what its state means. */
const badges = {
  handed_out: null,
  redeemed: { tone: 'good', words: 'Redeemed' },
  revoked: { tone: 'bad', words: 'Revoked' },
  returned: { tone: 'plain', words: 'Undone' },
} as const;

function SoldRow({ row, onOpen }: { row: HandSaleRow; onOpen: () => void }) {
  const badge = badges[row.state];
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left hover:bg-hover"
    >
      <span className="figures shrink-0 text-sm">{clock.format(new Date(row.sold_at))}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{row.product_name ?? 'Deleted product'}</span>
        {row.email?.address ? <span className="block truncate text-sm">{row.email.address}</span> : null}
        {row.note ? <span className="line-clamp-2 text-sm wrap-anywhere">{row.note}</span> : null}
      </span>
      {badge ? <Tag tone={badge.tone}>{badge.words}</Tag> : null}
      <span className={cn('figures shrink-0 font-medium', row.state === 'returned' && 'line-through')}>
        {formatMoney(row.price)}
      </span>
    </button>
  );
}
