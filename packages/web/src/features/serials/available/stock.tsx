import { useTitle } from '#lib/hooks.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { FilterBar } from '#ui/lists/filter-bar.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { List } from '#widgets/lists/list.tsx';
import type { AvailableFilter } from '../list-filters.ts';
import { useGenerator } from '../use-generator.ts';
import { Available } from './available.tsx';
import { stockList } from './stock-list.tsx';

interface StockProps {
  view: 'groups' | 'list';
  place: ListPlace<AvailableFilter>;
}

/** Stock in groups, or as one list. */
export function Stock({ view, place }: StockProps) {
  useTitle('Serials: Available');
  const onCreate = useGenerator();
  const { filter, onFilter } = place;
  // days stay, however stock is shown; words don't: groups are searched by names, the list by codes
  const { dateRange } = filter;
  const views = (
    <TabNav label="How serials are shown">
      <TabLink to="/dashboard/serials/available" search={{ dateRange }} current={view === 'groups'}>
        Groups
      </TabLink>
      <TabLink to="/dashboard/serials/available" search={{ dateRange, view: 'list' }} current={view === 'list'}>
        List
      </TabLink>
    </TabNav>
  );
  if (view === 'list') {
    return (
      <List of={stockList} place={place} onCreate={onCreate}>
        {views}
      </List>
    );
  }
  return (
    <>
      <FilterBar
        filter={filter}
        onFilter={onFilter}
        placeholder="Search name, email, serial, product, date..."
        label="Search serials"
      >
        {views}
      </FilterBar>
      <Available filter={filter} onFilter={onFilter} />
    </>
  );
}
