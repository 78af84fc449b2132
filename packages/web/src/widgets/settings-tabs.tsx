import { useUser } from '../lib/session.ts';
import { TabLink, TabNav } from '../ui/tabs.tsx';

/** The parts of a developer's settings; resellers have no page to brand. */
export function SettingsTabs() {
  const reseller = useUser()?.is_reseller ?? true;
  if (reseller) return null;
  return (
    <TabNav label="Settings" className="mb-6">
      <TabLink to="/dashboard/settings" activeOptions={{ exact: true }}>
        Account
      </TabLink>
      <TabLink to="/dashboard/settings/branding">Branding</TabLink>
      <TabLink to="/dashboard/settings/audit-log">Audit log</TabLink>
      <TabLink to="/dashboard/settings/requests">Requests</TabLink>
    </TabNav>
  );
}
