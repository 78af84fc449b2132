import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { Button } from '#ui/button.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { Panel } from '#ui/page.tsx';

interface PartProps<T> {
  title: string;
  /** Plural, for the button that shows the others. */
  what: string;
  items: T[];
  /** How many are shown at first. */
  first: number;
  empty: string;
  heading?: RefObject<HTMLHeadingElement | null>;
  /** Shown between the title and the list. */
  above?: ReactNode;
  /** The older items, which are not loaded yet. */
  older?: ComponentProps<typeof ShowMore>['list'];
  children: (shown: T[]) => ReactNode;
}

const more = 100;

/** A titled box with the first rows of a list; a button shows the rest. */
export function Part<T>({ title, what, items, first, empty, heading, above, older, children }: PartProps<T>) {
  const [count, setCount] = useState(first);
  const shown = items.slice(0, count);
  const hidden = items.length - shown.length;
  return (
    <Panel className="overflow-hidden">
      <h2
        ref={heading}
        tabIndex={heading ? -1 : undefined}
        className="flex items-baseline gap-2 px-5 pt-4 pb-3 font-semibold focus-visible:-outline-offset-4"
      >
        {title}
        {items.length > 0 ? (
          <span className="figures text-sm font-normal text-muted">
            {formatCount(items.length)}
            {older?.hasNextPage ? '+' : ''}
          </span>
        ) : null}
      </h2>
      {above}
      {items.length === 0 ? <p className="px-5 pb-5 text-sm text-muted">{empty}</p> : children(shown)}
      {hidden > 0 ? (
        <div className="border-t border-line px-5 py-3">
          <Button size="sm" onClick={() => setCount(count + more)}>
            {hidden > more || older?.hasNextPage
              ? `Show ${Math.min(more, hidden)} more`
              : `Show all ${formatCount(items.length)}`}{' '}
            {what}
          </Button>
        </div>
      ) : older?.hasNextPage ? (
        <div className="border-t border-line px-5 py-3">
          <ShowMore
            list={{
              ...older,
              fetchNextPage: () => {
                setCount(count + more);
                return older.fetchNextPage();
              },
            }}
          />
        </div>
      ) : null}
    </Panel>
  );
}
