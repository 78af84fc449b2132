import { formatCount, plural } from '#lib/format/format.ts';
import { PageNav } from './page-nav.tsx';
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
  /** The name of the rows, in the singular. */
  what: string;
  page: number;
  onPage: (page: number) => void;
}

/** The pages of a list that is counted up to a limit. */
export function CountedPages({ data, what, page, onPage }: CountedPagesProps) {
  const pages = Math.max(1, Math.ceil(data.total / data.page_size));
  const zone = <span className="text-faint"> · days in {data.time_zone.replaceAll('_', ' ')}</span>;
  const summary = (
    <>
      {data.total_exact ? plural(data.total, what) : `${formatCount(data.total)}+ ${what}s`}
      {zone}
    </>
  );
  if (data.total_exact) return <Pagination page={page} pages={pages} summary={summary} onPage={onPage} />;
  // Counting stopped early: there may be more pages than are known, so Next depends on whether this one is full.
  return (
    <PageNav
      summary={summary}
      at={`Page ${page} of ${formatCount(Math.max(pages, page))}+`}
      onBack={page > 1 ? () => onPage(page - 1) : undefined}
      onNext={data.rows.length < data.page_size ? undefined : () => onPage(page + 1)}
    />
  );
}
