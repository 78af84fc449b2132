import { TabLink, TabNav } from '../tabs.tsx';

/** Customers and their serials are two halves of one place. */
export function CustomerSerialTabs({ at }: { at: 'customers' | 'serials' }) {
  return (
    <TabNav label="Customers and serials">
      <TabLink to="/dashboard/customers" current={at === 'customers'}>
        Customers
      </TabLink>
      <TabLink to="/dashboard/serials" current={at === 'serials'}>
        Serials
      </TabLink>
    </TabNav>
  );
}
