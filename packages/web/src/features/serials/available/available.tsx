import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { plural } from '#lib/format/format.ts';
import { q } from '#lib/queries/operation.ts';
import { Button, LinkButton, TextLink } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { isFiltered, type ListFilter, noFilter } from '#ui/lists/filter-bar.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { AvailableGroup } from './available-group.tsx';
import { groupsOf } from './group-name.ts';

/** As many as the server lists. */
const mostGroups = 100;

interface AvailableProps {
  filter: ListFilter;
  onFilter: (filter: ListFilter) => void;
}

export function Available({ filter, onFilter }: AvailableProps) {
  const list = useQuery({
    ...q('listAvailableSerials', {
      query: { dateRange: filter.dateRange, ...(filter.search ? { search: filter.search } : {}) },
    }),
    placeholderData: keepPreviousData,
  });
  const { data } = list;

  if (list.isError) {
    return (
      <Panel>
        <Failed
          title="Available serials couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (!data) return <GroupsSkeleton />;
  const groups = groupsOf(data);
  if (groups.length === 0) {
    return (
      <Panel>
        {isFiltered(filter) ? (
          <Empty title="No serials found" action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}>
            No available serial matches this search and these dates.
          </Empty>
        ) : (
          <Empty
            title="No serials found"
            action={
              <LinkButton to="/dashboard/serials/generator" variant="primary">
                Generate serials
              </LinkButton>
            }
          >
            Unredeemed serials are listed here by product and promo. Generate or import some.
          </Empty>
        )}
      </Panel>
    );
  }
  return (
    <div className={cn('flex flex-col gap-8 transition-opacity', list.isPlaceholderData && 'opacity-60')}>
      <p className="figures -mb-4 text-sm text-muted" aria-live="polite">
        {plural(data.total, 'available serial')}
      </p>
      {[
        { title: 'Available Serials by Product', kind: 'regular' },
        { title: 'Available Promo Serials', kind: 'promo' },
      ].map(({ title, kind }) =>
        groups.some((group) => group.kind === kind) ? (
          <section key={title}>
            <h2 className="mb-3 font-semibold">{title}</h2>
            <Panel className="divide-y divide-line overflow-hidden">
              {groups
                .filter((group) => group.kind === kind)
                .map((group) => (
                  <AvailableGroup
                    key={`${group.productId} ${group.name}`}
                    {...group}
                    filtered={isFiltered(filter)}
                    open={filter.search !== '' || groups.length === 1}
                  />
                ))}
            </Panel>
          </section>
        ) : null,
      )}
      {groups.length >= mostGroups ? (
        <p className="-mt-4 text-sm text-muted">
          The first {mostGroups} groups are shown. Search for the others, or{' '}
          <TextLink to="/dashboard/serials/available" search={{ view: 'list' }}>
            see all serials as a list
          </TextLink>
          .
        </p>
      ) : null}
    </div>
  );
}

function GroupsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading serials</span>
      <span className="skeleton mt-6 mb-4 block h-5 w-56" />
      <Panel className="divide-y divide-line">
        {[0, 1, 2, 3].map((row) => (
          <div key={row} className="flex h-[68px] items-center gap-4 px-5">
            <span className="skeleton size-9" />
            <span className="skeleton h-4 w-40" />
            <span className="skeleton ml-auto h-4 w-20" />
          </div>
        ))}
      </Panel>
    </div>
  );
}
