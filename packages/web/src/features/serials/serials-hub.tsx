import { type ComponentProps, lazy, Suspense } from 'react';
import { useTitle } from '#lib/hooks.ts';
import { FilterBar } from '#ui/lists/filter-bar.tsx';
import { Loading } from '#ui/mark.tsx';
import { PageHeader } from '#ui/page.tsx';
import { CustomerSerialTabs } from '#ui/serials/customer-serial-tabs.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { chosenIn } from '#widgets/lists/choice-filters.tsx';
import { CsvActions } from '#widgets/lists/csv-actions.tsx';
import { Available } from './available/available.tsx';
import { StockExport, StockList } from './available/stock-list.tsx';
import { ExportButton } from './export-button.tsx';
import { Redeemed } from './redeemed/redeemed.tsx';
import { RedeemedExport } from './redeemed/redeemed-export.tsx';
import { type RedeemedFilter, unchosen } from './redeemed/redeemed-filter.ts';
import { RedeemedFilters, redeemedKinds } from './redeemed/redeemed-filters.tsx';
import { SerialFilters, serialKinds } from './stock-filters.tsx';

// The form brings its own libraries; the lists don't wait for them.
const Generator = lazy(() => import('./generate/generator.tsx').then((module) => ({ default: module.Generator })));
const Batches = lazy(() => import('./batches/batches.tsx').then((module) => ({ default: module.Batches })));

interface SerialsHubProps {
  tab: 'redeemed' | 'available' | 'generator' | 'batches';
  /** Stock as one list, not in groups. */
  flat: boolean;
  filter: RedeemedFilter;
  sort: ComponentProps<typeof Redeemed>['sort'];
  batchSort: ComponentProps<typeof Batches>['sort'];
  page: number;
  cursor: string | undefined;
  product: string | undefined;
  dealRequest: string | undefined;
  onFilter: (filter: RedeemedFilter, sort?: string) => void;
  onSort: (sort: string | undefined) => void;
  onCreate: () => void;
  onPage: (page: number, cursor?: string) => void;
}

const tabs = [
  ['redeemed', 'Redeemed'],
  ['available', 'Available'],
  ['generator', 'Generator'],
  ['batches', 'Batches'],
] as const;

export function SerialsHub(props: SerialsHubProps) {
  const { tab } = props;
  useTitle(`Serials: ${tabs.find(([key]) => key === tab)?.[1]}`);
  return (
    <>
      <PageHeader title="Serials Hub" actions={<CustomerSerialTabs at="serials" />} />
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <TabNav label="Serials Hub">
          {tabs.map(([key, label]) => (
            <TabLink
              key={key}
              to="/dashboard/serials"
              search={(before) => ({
                ...before,
                tab: key === 'redeemed' ? undefined : key,
                page: undefined,
                sort: undefined,
                cursor: undefined,
                view: undefined,
                status: undefined,
                product: undefined,
                deal_request: undefined,
              })}
              current={key === tab}
            >
              {label}
            </TabLink>
          ))}
        </TabNav>
        <Files {...props} />
      </div>
      <Suspense fallback={<Loading />}>
        <Tab {...props} />
      </Suspense>
    </>
  );
}

/** Bringing serials in as a file, and taking them out. */
function Files({ tab, flat, filter }: SerialsHubProps) {
  if (tab !== 'redeemed' && tab !== 'available') return null;
  return (
    <CsvActions key={tab} kind={tab}>
      {tab === 'redeemed' ? (
        <RedeemedExport filter={filter} />
      ) : flat ? (
        <StockExport filter={filter} />
      ) : (
        <ExportButton disabled title="Each group has an export of its own">
          Export CSV
        </ExportButton>
      )}
    </CsvActions>
  );
}

/** Days stay, however stock is shown. Words don't: groups are searched by names, the list by codes. */
const shown = ({ dateRange }: RedeemedFilter) => ({
  dateRange: dateRange === 'all' ? undefined : dateRange,
});

function Tab({
  tab,
  flat,
  filter,
  sort,
  batchSort,
  page,
  cursor,
  product,
  dealRequest,
  onFilter,
  onSort,
  onPage,
  onCreate,
}: SerialsHubProps) {
  if (tab === 'generator') return <Generator key={dealRequest ?? ''} productId={product} dealRequestId={dealRequest} />;
  if (tab === 'batches') {
    return (
      <Batches
        filter={filter}
        sort={batchSort}
        page={page}
        cursor={cursor}
        onFilter={onFilter}
        onSort={onSort}
        onPage={onPage}
        onCreate={onCreate}
      />
    );
  }
  const redeemed = tab === 'redeemed';
  return (
    <>
      <FilterBar
        filter={filter}
        onFilter={(next) => onFilter({ ...filter, ...next })}
        placeholder={
          flat && !redeemed ? 'The beginning of a serial...' : 'Search name, email, serial, product, date...'
        }
        label="Search serials"
        {...(redeemed
          ? {
              choices: <RedeemedFilters filter={filter} onFilter={onFilter} />,
              chosen: chosenIn(redeemedKinds, filter) + (filter.customer ? 1 : 0),
            }
          : flat
            ? {
                choices: <SerialFilters filter={filter} onFilter={onFilter} />,
                chosen: chosenIn(serialKinds, filter),
              }
            : {})}
        onClear={() => onFilter({ ...filter, ...unchosen, dateRange: 'all' })}
      >
        {redeemed ? null : (
          <TabNav label="How serials are shown">
            <TabLink to="/dashboard/serials" search={{ ...shown(filter), tab: 'available' }} current={!flat}>
              Groups
            </TabLink>
            <TabLink
              to="/dashboard/serials"
              search={{ ...shown(filter), tab: 'available', view: 'list' }}
              current={flat}
            >
              List
            </TabLink>
          </TabNav>
        )}
      </FilterBar>
      {redeemed ? (
        <Redeemed
          filter={filter}
          page={page}
          sort={sort}
          onPage={onPage}
          onFilter={onFilter}
          onSort={onSort}
          onCreate={onCreate}
        />
      ) : flat ? (
        <StockList
          filter={filter}
          page={page}
          cursor={cursor}
          onFilter={onFilter}
          onPage={onPage}
          onCreate={onCreate}
        />
      ) : (
        <Available filter={filter} onFilter={(next) => onFilter({ ...filter, ...next })} />
      )}
    </>
  );
}
