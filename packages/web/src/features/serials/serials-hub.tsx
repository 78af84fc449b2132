import type { ReactNode } from 'react';
import { PageHeader } from '#ui/page.tsx';
import { CustomerSerialTabs } from '#ui/serials/customer-serial-tabs.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';

interface Shared {
  search?: string | undefined;
  dateRange?: string | undefined;
  product?: string | undefined;
  reseller?: string | undefined;
}

/** The filters that the next list takes over from this one. */
const shared = ({ search, dateRange, product, reseller }: Shared) => ({ search, dateRange, product, reseller });
const exact = { exact: true, includeSearch: false };

/** The top of all screens of serials. @param files takes serials in and out as a file */
export function SerialsHub({ files, children }: { files: ReactNode; children: ReactNode }) {
  return (
    <>
      <PageHeader title="Serials Hub" actions={<CustomerSerialTabs at="serials" />} />
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <TabNav label="Serials Hub">
          <TabLink to="/dashboard/serials" search={shared} activeOptions={exact}>
            Redeemed
          </TabLink>
          <TabLink to="/dashboard/serials/available" search={shared} activeOptions={exact}>
            Available
          </TabLink>
          <TabLink to="/dashboard/serials/generator" activeOptions={exact}>
            Generator
          </TabLink>
          <TabLink to="/dashboard/serials/batches" search={shared} activeOptions={exact}>
            Batches
          </TabLink>
        </TabNav>
        {files}
      </div>
      {children}
    </>
  );
}
