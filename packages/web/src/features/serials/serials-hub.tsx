import { type ComponentProps, lazy, Suspense } from 'react';
import { useTitle } from '../../lib/hooks.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Loading } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { TabLink, TabNav } from '../../ui/tabs.tsx';
import { CsvActions } from '../../widgets/csv-actions.tsx';
import { Available } from './available/available.tsx';
import { ExportButton } from './export-button.tsx';
import { HubTabs } from './hub-tabs.tsx';
import { Redeemed } from './redeemed/redeemed.tsx';
import { RedeemedExport } from './redeemed/redeemed-export.tsx';
import type { RedeemedFilter } from './redeemed/redeemed-filter.ts';

// The form brings its own libraries; the lists don't wait for them.
const Generator = lazy(() => import('./generate/generator.tsx').then((module) => ({ default: module.Generator })));
const Batches = lazy(() => import('./batches/batches.tsx').then((module) => ({ default: module.Batches })));

interface SerialsHubProps {
  tab: 'redeemed' | 'available' | 'generator' | 'batches';
  filter: RedeemedFilter;
  sort: ComponentProps<typeof Redeemed>['sort'];
  page: number;
  cursor: string | undefined;
  product: string | undefined;
  dealRequest: string | undefined;
  onFilter: (filter: RedeemedFilter) => void;
  onSort: (sort: ComponentProps<typeof Redeemed>['sort']) => void;
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
      <PageHeader title="Serials Hub" actions={<HubTabs />} />
      <TabNav label="Serials Hub" className="mb-6">
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
              product: undefined,
              deal_request: undefined,
            })}
            current={key === tab}
          >
            {label}
          </TabLink>
        ))}
      </TabNav>
      <Suspense fallback={<Loading />}>
        <Tab {...props} />
      </Suspense>
    </>
  );
}

function Tab({
  tab,
  filter,
  sort,
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
        search={filter.search}
        page={page}
        cursor={cursor}
        onSearch={(search) => onFilter({ ...filter, search })}
        onPage={onPage}
      />
    );
  }
  const redeemed = tab === 'redeemed';
  return (
    <>
      <FilterBar
        filter={filter}
        onFilter={(next) => onFilter({ ...filter, ...next })}
        placeholder="Search name, email, serial, product, date..."
        label="Search serials"
      >
        <div
          key={tab}
          className="flex flex-wrap gap-2 max-sm:[&>button]:flex-1 max-sm:[&>button]:px-2.5 max-sm:[&>button]:text-sm"
        >
          <CsvActions kind={tab}>
            {redeemed ? (
              <RedeemedExport filter={filter} />
            ) : (
              <ExportButton disabled title="Each group has an export of its own">
                Export CSV
              </ExportButton>
            )}
          </CsvActions>
        </div>
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
      ) : (
        <Available filter={filter} onFilter={onFilter} />
      )}
    </>
  );
}
