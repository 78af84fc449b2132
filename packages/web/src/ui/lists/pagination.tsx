import type { ReactNode } from 'react';
import { PageNav } from './page-nav.tsx';

interface PaginationProps {
  page: number;
  pages: number;
  summary: ReactNode;
  onPage: (page: number) => void;
  /** The word on the button to the page before. */
  back?: 'Previous' | 'Prev';
}

export function Pagination({ page, pages, summary, onPage, back }: PaginationProps) {
  return (
    <PageNav
      summary={summary}
      at={`Page ${page} of ${pages}`}
      onBack={page > 1 ? () => onPage(page - 1) : undefined}
      onNext={page < pages ? () => onPage(page + 1) : undefined}
      back={back}
    />
  );
}
