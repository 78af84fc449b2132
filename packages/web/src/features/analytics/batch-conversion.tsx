import { useInfiniteQuery } from '@tanstack/react-query';
import { formatCount, formatDay } from '#lib/format/format.ts';
import type { BatchConversion as Row } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { batchesCsv, batchesQuery } from './reports-query.ts';

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** How far the serials of each batch came, the newest first: a picture that is its own table. */
export function BatchConversion({ product, reseller }: { product: string; reseller: string }) {
  const list = useInfiniteQuery(batchesQuery(product, reseller));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  return (
    <Panel className="overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-4 pb-2">
        <h3 id="batch-conversion" className="text-sm font-medium text-muted">
          Conversion by batch
        </h3>
        <SaveButton
          size="sm"
          file="batches.csv"
          stream={() => batchesCsv(product, reseller)}
          disabled={!rows || rows.length === 0}
          className="print:hidden"
        >
          CSV
        </SaveButton>
      </div>
      {list.isError ? (
        <Failed
          title="The batches couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
          className="py-8"
        />
      ) : rows?.length === 0 ? (
        <p className="px-5 pb-6 text-muted">
          No batch matches. Batches appear here when serials are generated or imported.
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        <section className="relative overflow-x-auto" tabIndex={0} aria-labelledby="batch-conversion">
          <table
            className={cn('w-full min-w-[640px] text-left transition-opacity', list.isPlaceholderData && 'opacity-60')}
            aria-labelledby="batch-conversion"
          >
            <thead>
              <tr className="border-b border-line text-xs text-muted">
                <th scope="col" className="h-9 pl-5 font-medium">
                  Batch
                </th>
                {['Generated', 'Handed out', 'Redeemed', 'Activated'].map((name) => (
                  <th key={name} scope="col" className="w-32 px-2.5 font-medium last:pr-5">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="figures divide-y divide-line">
              {rows
                ? rows.map((row) => <BatchRow key={row.id} row={row} />)
                : [0, 1, 2].map((row) => (
                    <tr key={row}>
                      <td colSpan={5} className="h-14 px-5">
                        <span className="skeleton block h-4" />
                      </td>
                    </tr>
                  ))}
            </tbody>
          </table>
        </section>
      )}
      {list.hasNextPage ? (
        <div className="border-t border-line px-5 py-3 print:hidden">
          <ShowMore list={list} words="Show more batches" />
        </div>
      ) : null}
    </Panel>
  );
}

function BatchRow({ row }: { row: Row }) {
  return (
    <tr>
      <th scope="row" className="max-w-64 py-2.5 pr-2.5 pl-5 font-normal">
        <span className="block truncate">{row.batch_tag ?? `${row.product}, ${formatDay(row.created_at)}`}</span>
        <span className="block truncate text-xs text-muted">
          {row.batch_tag ? `${row.product} · ` : ''}
          {row.reseller ?? 'Your own'}
        </span>
      </th>
      <Stage count={row.generated} share={null} />
      {row.handed_out === null ? (
        <td className="px-2.5 text-muted">
          <span aria-hidden>–</span>
          <span className="sr-only">Not handed out one by one</span>
        </td>
      ) : (
        <Stage count={row.handed_out} share={row.handed_out_percent} />
      )}
      <Stage count={row.redeemed} share={row.redeemed_percent} />
      <Stage count={row.activated} share={row.activated_percent} />
    </tr>
  );
}

function Stage({ count, share }: { count: number; share: number | null }) {
  return (
    <td className="px-2.5 py-2.5 last:pr-5">
      <span className="flex items-baseline justify-between gap-2">
        <span>{formatCount(count)}</span>
        {share === null ? null : <span className="text-xs text-muted">{percent.format(share / 100)}</span>}
      </span>
      <span className="mt-1 block h-1 rounded-full bg-hover" aria-hidden>
        <span
          className="block h-full rounded-full bg-accent print:[print-color-adjust:exact]"
          style={{ width: `${Math.min(100, share ?? 100)}%` }}
        />
      </span>
    </td>
  );
}
