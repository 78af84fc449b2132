import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';

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
  const forward = () => {
    if (!next) return;
    cameFrom.set(next, cursor);
    onPlace({ page: page + 1, cursor: next });
  };
  const back = () =>
    onPlace(
      cursor && cameFrom.has(cursor)
        ? { page: page - 1, cursor: cameFrom.get(cursor) }
        : { page: 1, cursor: undefined },
    );
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted"
    >
      <span className="figures" aria-live="polite">
        {summary}
      </span>
      <span className="flex items-center gap-3">
        <span className="figures">Page {page}</span>
        <span className="flex gap-1.5">
          <Button size="sm" disabled={page <= 1} onClick={back}>
            <ChevronLeft className="-ml-1 size-4" aria-hidden />
            Previous
          </Button>
          <Button size="sm" disabled={!next} onClick={forward}>
            Next
            <ChevronRight className="-mr-1 size-4" aria-hidden />
          </Button>
        </span>
      </span>
    </nav>
  );
}
