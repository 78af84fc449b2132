import type { ReactNode } from 'react';
import { PageNav } from '#ui/lists/page-nav.tsx';

export interface Place {
  page: number;
  /** The cursor of the page; undefined for the first. */
  cursor: string | undefined;
}

interface PagerProps {
  place: Place;
  next: string | null;
  summary: ReactNode;
  onPlace: (place: Place) => void;
}

/** The cursors of the pages seen in this tab, because cursors only lead forward. */
const cameFrom = new Map<string, string | undefined>();

/** Pages of a list without a total. */
export function Pager({ place, next, summary, onPlace }: PagerProps) {
  const { page, cursor } = place;
  const forward = (cursorOfNext: string) => {
    cameFrom.set(cursorOfNext, cursor);
    onPlace({ page: page + 1, cursor: cursorOfNext });
  };
  const back = () =>
    onPlace(
      cursor && cameFrom.has(cursor)
        ? { page: page - 1, cursor: cameFrom.get(cursor) }
        : { page: 1, cursor: undefined },
    );
  return (
    <PageNav
      summary={summary}
      at={`Page ${page}`}
      onBack={page > 1 ? back : undefined}
      onNext={next ? () => forward(next) : undefined}
    />
  );
}
