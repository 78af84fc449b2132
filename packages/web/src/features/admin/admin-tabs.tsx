import { TabLink, TabNav } from '../../ui/tabs.tsx';

/** Narrower where all three would not fit otherwise. */
const tab = 'max-[359px]:px-2';

export function AdminTabs() {
  return (
    <TabNav label="Admin" className="mb-6">
      <TabLink to="/admin/emails" className={tab}>
        Emails
      </TabLink>
      <TabLink to="/admin/announcements" className={tab}>
        Announcements
      </TabLink>
      <TabLink to="/admin/billing" className={tab}>
        Billing logs
      </TabLink>
    </TabNav>
  );
}
