import { TabLink, TabNav } from '#ui/tabs.tsx';

export function AdminTabs() {
  return (
    <TabNav label="Admin" className="mb-6">
      <TabLink to="/admin/emails">Emails</TabLink>
      <TabLink to="/admin/announcements">Announcements</TabLink>
      <TabLink to="/admin/billing">Billing logs</TabLink>
    </TabNav>
  );
}
