import type { ComponentProps } from 'react';
import { formatCount, plural } from '#lib/format/format.ts';
import { ShowMore } from './show-more.tsx';

interface MoreLineProps {
  list: ComponentProps<typeof ShowMore>['list'];
  shown: number;
  /** How many there are, where the server counts them. */
  total?: number | undefined;
  /** One of its rows, such as `serial`, and several where an s is not enough. */
  one: string;
  many?: string | undefined;
}

/** The last line of a list in a panel while more can be loaded. */
export function MoreLine({ list, shown, total, one, many = `${one}s` }: MoreLineProps) {
  if (!list.hasNextPage) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted">
      <span className="figures" aria-live="polite">
        {list.isFetchNextPageError
          ? `The next ${many} couldn't be loaded.`
          : total === undefined
            ? `The first ${plural(shown, one, many)}`
            : `${formatCount(shown)} of ${plural(total, one, many)}`}
      </span>
      <ShowMore list={list} quiet />
    </div>
  );
}
