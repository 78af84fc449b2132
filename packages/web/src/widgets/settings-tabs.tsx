import { useLocation } from '@tanstack/react-router';
import { type SettingsPart, settingsPartOf } from '#lib/navigation/settings-parts.ts';
import { useAccount } from '#lib/session/session.ts';
import { TabLink, TabNav } from '#ui/tabs.tsx';

const parts: [SettingsPart, hash: string | undefined, name: string][] = [
  ['account', undefined, 'Account'],
  ['plan', 'plan', 'Plan and billing'],
  ['tokens', 'tokens', 'Access tokens'],
];

/** The parts of the settings. Resellers have no plan and no page to brand. */
export function SettingsTabs() {
  const reseller = useAccount()?.is_reseller ?? true;
  const { pathname, hash } = useLocation();
  const home = reseller ? '/reseller/settings' : '/dashboard/settings';
  const shown = pathname === home ? settingsPartOf(hash) : undefined;
  return (
    <TabNav label="Settings" className="mb-6">
      {parts
        .filter(([part]) => !(reseller && part === 'plan'))
        .map(([part, anchor, name]) => (
          <TabLink key={part} to={home} hash={anchor} current={part === shown}>
            {name}
          </TabLink>
        ))}
      {reseller ? (
        <>
          <TabLink to="/reseller/audit-log">Audit log</TabLink>
          <TabLink to="/reseller/requests">Requests</TabLink>
        </>
      ) : (
        <>
          <TabLink to="/dashboard/settings/branding">Branding</TabLink>
          <TabLink to="/dashboard/settings/audit-log">Audit log</TabLink>
          <TabLink to="/dashboard/settings/requests">Requests</TabLink>
        </>
      )}
    </TabNav>
  );
}
