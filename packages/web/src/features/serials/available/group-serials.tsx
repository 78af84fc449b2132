import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { pages } from '#lib/queries/operation.ts';
import { Failed } from '#ui/states.tsx';
import { AvailableSerial } from './available-serial.tsx';
import { type GroupRef, groupInput } from './group-name.ts';

const rowHeight = 56;
const pageSize = 100;

/** All serials of a large group: read page by page while scrolling, and only the visible rows exist. */
export function GroupSerials(group: GroupRef) {
  const { name } = group;
  const input = groupInput(group);
  const list = useInfiniteQuery(pages('listSerialGroup', { ...input, query: { ...input.query, limit: pageSize } }));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const { total = 0, total_exact: exact = true } = data?.pages.at(-1) ?? {};
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const failed = list.isFetchNextPageError;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !failed && last >= rows.length - 20) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, failed, last, rows.length, fetchNextPage]);

  if (list.isPending) {
    return (
      <div role="status" className="flex h-[448px] flex-col divide-y divide-line overflow-hidden">
        <span className="sr-only">Loading serials</span>
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <span key={row} className="flex h-14 shrink-0 items-center px-5">
            <span className="skeleton h-4 w-48" />
          </span>
        ))}
      </div>
    );
  }
  if (!data) return <Failed error={list.error} retry={list.refetch} retrying={list.isFetching} />;
  return (
    <>
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label={`Serials of ${name}`}
        className="h-[448px] overflow-y-auto focus-visible:-outline-offset-2"
      >
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const serial = rows[item.index];
            return serial ? (
              <li
                key={item.key}
                aria-setsize={total}
                aria-posinset={item.index + 1}
                className="absolute inset-x-0 top-0 flex items-center justify-between gap-3 border-b border-line px-5"
                style={{ height: rowHeight, transform: `translateY(${item.start}px)` }}
              >
                <AvailableSerial serial={serial} />
              </li>
            ) : null;
          })}
        </ul>
      </section>
      <p className="figures border-t border-line px-5 py-2.5 text-sm text-muted" aria-live="polite">
        {failed ? (
          <button type="button" onClick={() => fetchNextPage()} className="font-medium text-accent-text underline">
            The next serials couldn't be loaded. Try again
          </button>
        ) : (
          `${formatCount(rows.length)} of ${formatCount(total)}${exact ? '' : '+'} read`
        )}
      </p>
    </>
  );
}
