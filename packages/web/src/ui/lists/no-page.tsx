import { formatCount } from '#lib/format/format.ts';
import { Button } from '../button.tsx';
import { Empty } from '../states.tsx';

/** A page beyond the last one. */
export function NoPage({
  data,
  onPage,
}: {
  data: { total: number; page_size: number };
  onPage: (page: number) => void;
}) {
  const pages = Math.max(1, Math.ceil(data.total / data.page_size));
  return (
    <Empty title="Nothing on this page" action={<Button onClick={() => onPage(pages)}>Go to the last page</Button>}>
      There {pages === 1 ? 'is only one page' : `are only ${formatCount(pages)} pages`} now.
    </Empty>
  );
}
