import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';
import type { Slice } from '#ui/lists/table.tsx';

/** Shorter lists are rendered whole, so that find-in-page works and focus stays where it was. */
const shortList = 100;
const usualHeight = 97;

/** The rows of a long list in and around the window. Their heights are measured as they come. */
export function useSlice<T>(
  rows: T[],
  keyOf: (row: T) => string,
  area: RefObject<HTMLElement | null>,
): { shown: T[]; slice: Slice | undefined } {
  const long = rows.length > shortList;
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = area.current?.getBoundingClientRect();
    if (long && box) setTop(Math.round(box.top + window.scrollY));
  }, [long, area]);
  const virtual = useWindowVirtualizer({
    enabled: long,
    count: rows.length,
    estimateSize: () => usualHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    overscan: 12,
    scrollMargin: top,
    // either the table or the cards are hidden, and have no height
    measureElement: (element) => element.getBoundingClientRect().height || usualHeight,
  });
  const { measureElement } = virtual;
  const measure = useCallback(
    (row: Element | null) => {
      if (row === null || row.getClientRects().length > 0) measureElement(row);
    },
    [measureElement],
  );
  if (!long) return { shown: rows, slice: undefined };
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  return {
    shown: rows.slice(first, last + 1),
    slice: {
      first,
      total: rows.length,
      before: items[0] ? items[0].start - top : 0,
      after: virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
      measure,
    },
  };
}
