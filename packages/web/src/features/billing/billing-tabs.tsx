import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';

/** The head of the hub: what is used, and what was billed. */
export function BillingTabs() {
  return (
    <>
      <PageHeader title="Billing Hub">Days and months begin and end in UTC, as they are billed.</PageHeader>
      <TabNav label="Billing" className="mb-6">
        <TabLink to="/dashboard/billing" activeOptions={{ exact: true, includeSearch: false }}>
          Usage
        </TabLink>
        <TabLink to="/dashboard/billing/invoices">Invoices</TabLink>
      </TabNav>
    </>
  );
}
