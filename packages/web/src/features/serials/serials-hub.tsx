import { lazy, Suspense } from 'react';
import { useTitle } from '../../lib/hooks.ts';
import { Loading } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { TabLink, TabNav } from '../../ui/tabs.tsx';
import { Available } from './available.tsx';
import type { SerialFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { Redeemed } from './redeemed.tsx';

// The form brings its own libraries; the lists don't wait for them.
const Generator = lazy(() => import('./generator.tsx').then((module) => ({ default: module.Generator })));

interface SerialsHubProps {
  tab: 'redeemed' | 'available' | 'generator';
  filter: SerialFilter;
  page: number;
  product: string | undefined;
  onFilter: (filter: SerialFilter) => void;
  onPage: (page: number) => void;
}

const tabs = [
  ['redeemed', 'Redeemed'],
  ['available', 'Available'],
  ['generator', 'Generator'],
] as const;

export function SerialsHub({ tab, filter, page, product, onFilter, onPage }: SerialsHubProps) {
  useTitle(`Serials: ${tabs.find(([key]) => key === tab)?.[1]}`);
  return (
    <>
      <PageHeader title="Serials" />
      <TabNav label="Serials Hub" className="mb-6">
        {tabs.map(([key, label]) => (
          <TabLink
            key={key}
            to="/dashboard/serials"
            search={(before) => ({
              ...before,
              tab: key === 'redeemed' ? undefined : key,
              page: undefined,
              product: undefined,
            })}
            current={key === tab}
          >
            {label}
          </TabLink>
        ))}
      </TabNav>
      {tab === 'generator' ? (
        <Suspense fallback={<Loading />}>
          <Generator productId={product} />
        </Suspense>
      ) : (
        <>
          <FilterBar filter={filter} onFilter={onFilter} />
          {tab === 'redeemed' ? (
            <Redeemed filter={filter} page={page} onPage={onPage} onFilter={onFilter} />
          ) : (
            <Available filter={filter} onFilter={onFilter} />
          )}
        </>
      )}
    </>
  );
}
