import { formatCount } from '#lib/format/format.ts';
import type { TransactionFilter } from '#lib/queries/sales.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { isFiltered, noFilter } from '#ui/lists/filter-bar.tsx';
import { Empty } from '#ui/states.tsx';

interface NoRowsProps {
  /** Such as `transactions`. */
  what: string;
  data: { total: number; page_size: number };
  filter: TransactionFilter;
  onFilter: (filter: TransactionFilter) => void;
  onPage: (page: number) => void;
}

/** Why a page is empty: it lies behind the last one, nothing matches, or there is nothing yet. */
export function NoRows({ what, data, filter, onFilter, onPage }: NoRowsProps) {
  const pages = Math.max(1, Math.ceil(data.total / data.page_size));
  if (data.total > 0) {
    return (
      <Empty title="Nothing on this page" action={<Button onClick={() => onPage(pages)}>Go to the last page</Button>}>
        There {pages === 1 ? 'is only one page' : `are only ${formatCount(pages)} pages`} now.
      </Empty>
    );
  }
  if (filter.product || filter.developer || filter.kind) {
    return (
      <Empty title={`No ${what} found.`} action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}>
        Nothing matches all of these filters. Try fewer.
      </Empty>
    );
  }
  if (isFiltered(filter)) {
    return (
      <Empty title={`No ${what} found.`} action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}>
        {filter.search
          ? `Nothing matches “${filter.search}”${filter.dateRange === 'all' ? '' : ' on these days'}. Try a shorter search.`
          : 'There are none on these days. Try a longer period.'}
      </Empty>
    );
  }
  return (
    <Empty title={`No ${what} found.`} action={<LinkButton to="/reseller/products">See what you can sell</LinkButton>}>
      They appear here as soon as somebody redeems a serial that you were given. A serial that was sold counts when it
      is redeemed.
    </Empty>
  );
}
