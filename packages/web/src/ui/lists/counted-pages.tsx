import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount, plural } from '#lib/format/format.ts';
import { Button } from '../button.tsx';
import { Pagination } from './pagination.tsx';

interface CountedPagesProps {
  data: {
    rows: readonly unknown[];
    total: number;
    /** False: `total` is a lower bound. */
    total_exact: boolean;
    page_size: number;
    time_zone: string;
  };
  /** What the rows are, in the singular. */
  what: string;
  page: number;
  onPage: (page: number) => void;
}

/** The pages of a list that is counted up to a limit. */
export function CountedPages({ data, what, page, onPage }: CountedPagesProps) {
  const pages = Math.max(1, Math.ceil(data.total / data.page_size));
  const zone = <span className="text-faint"> · days in {data.time_zone.replaceAll('_', ' ')}</span>;
  if (data.total_exact) {
    return (
      <Pagination
        page={page}
        pages={pages}
        summary={
          <>
            {plural(data.total, what)}
            {zone}
          </>
        }
        onPage={onPage}
      />
    );
  }
  // Counting stopped early: there may be more pages than are known, so Next depends on whether this one is full.
  return (
    <nav
      aria-label="Pages"
      className="figures flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted"
    >
      <span aria-live="polite">
        {formatCount(data.total)}+ {what}s{zone}
      </span>
      <span className="flex items-center gap-3">
        Page {page} of {formatCount(Math.max(pages, page))}+
        <span className="flex gap-1.5">
          <Button size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <ChevronLeft className="-ml-1 size-4" aria-hidden />
            Previous
          </Button>
          <Button size="sm" disabled={data.rows.length < data.page_size} onClick={() => onPage(page + 1)}>
            Next
            <ChevronRight className="-mr-1 size-4" aria-hidden />
          </Button>
        </span>
      </span>
    </nav>
  );
}
