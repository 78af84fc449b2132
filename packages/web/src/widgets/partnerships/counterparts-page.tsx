import type { ReactNode } from 'react';
import { useTitle } from '#lib/hooks.ts';
import { Button } from '#ui/button.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { PageHeader } from '#ui/page.tsx';
import { CounterpartGrid, type CounterpartGridProps } from '#ui/partnerships/counterpart-grid.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { SentInvites } from './sent-invites.tsx';

/** The state of a list of counterparts, which is in the address. */
export interface CounterpartListProps {
  /** Those whose partnership has ended, instead of all others. */
  past: boolean;
  search: string;
  onSearch: (search: string) => void;
}

interface CounterpartsPageProps<Row> extends CounterpartListProps, CounterpartGridProps<Row> {
  title: string;
  intro: string;
  to: '/dashboard/resellers' | '/reseller/partners';
  /** Beside the title, once there are some. */
  actions: ReactNode;
  /** Beside the search. */
  beside?: ReactNode;
  /** Above the cards of current counterparts. */
  children?: ReactNode;
}

/** The counterparts of either side, and the invitations to more of them. */
export function CounterpartsPage<Row>(props: CounterpartsPageProps<Row>) {
  const { title, intro, to, past, search, onSearch, actions, beside, children, ...grid } = props;
  useTitle(title);
  const clear = <Button onClick={() => onSearch('')}>Clear the search</Button>;
  const unknown = { title: `No ${grid.what} found`, text: 'No name matches this search.', action: clear };
  return (
    <>
      <PageHeader title={title} actions={past || search || grid.list.data?.pages[0]?.total ? actions : null}>
        {intro}
      </PageHeader>
      <TabNav label={title} className="mb-6">
        <TabLink to={to} search={{}} current={!past}>
          Current
        </TabLink>
        <TabLink to={to} search={{ past: true }} current={past}>
          Past
        </TabLink>
      </TabNav>
      <div className="mb-5 flex flex-wrap gap-2">
        <SearchInput
          value={search}
          onChange={onSearch}
          placeholder="Search by name..."
          label={`Search ${grid.what}`}
          className="w-full sm:max-w-[340px] sm:min-w-60 sm:flex-1"
        />
        {beside}
      </div>
      {past ? null : children}
      <CounterpartGrid {...grid} empty={search ? unknown : grid.empty} />
      {past ? null : <SentInvites />}
    </>
  );
}
