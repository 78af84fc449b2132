import { TabLink, TabNav } from '../../ui/tabs.tsx';

/** Customers and their serials are two halves of one place. */
export function HubTabs() {
  return (
    <TabNav label="Customers and serials">
      <TabLink to="/dashboard/customers">Customers</TabLink>
      <TabLink to="/dashboard/serials" current>
        Serials
      </TabLink>
    </TabNav>
  );
}
