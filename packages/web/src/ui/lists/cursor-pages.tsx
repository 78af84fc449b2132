import { plural } from '#lib/format/format.ts';
import { turnPage } from '#lib/lists/cursor-pages.ts';
import { Pagination } from './pagination.tsx';

interface CursorPagesProps {
  data: { total: number; total_exact?: boolean; next_cursor: string | null };
  pageSize: number;
  one: string;
  many?: string;
  page: number;
  cursor: string | undefined;
  onPage: (page: number, cursor?: string) => void;
}

/** The pages of a list that goes by cursors. */
export function CursorPages({ data, pageSize, one, many, page, cursor, onPage }: CursorPagesProps) {
  return (
    <Pagination
      page={page}
      pages={data.next_cursor ? Math.max(page + 1, Math.ceil(data.total / pageSize)) : page}
      summary={`${data.total_exact === false ? 'More than ' : ''}${plural(data.total, one, many)}`}
      onPage={(to) => turnPage({ page, cursor, next: data.next_cursor }, to, onPage)}
    />
  );
}
