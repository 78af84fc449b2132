import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';

interface PaginationProps {
  page: number;
  pages: number;
  summary: ReactNode;
  onPage: (page: number) => void;
  /** The word on the button to the page before. */
  back?: 'Previous' | 'Prev';
}

export function Pagination({ page, pages, summary, onPage, back = 'Previous' }: PaginationProps) {
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted"
    >
      <span className="figures" aria-live="polite">
        {summary}
      </span>
      <span className="flex items-center gap-3">
        <span className="figures">
          Page {page} of {pages}
        </span>
        <span className="flex gap-1.5">
          <Button size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <ChevronLeft className="-ml-1 size-4" aria-hidden />
            {back}
          </Button>
          <Button size="sm" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
            <ChevronRight className="-mr-1 size-4" aria-hidden />
          </Button>
        </span>
      </span>
    </nav>
  );
}
