import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTitle } from '#lib/hooks.ts';
import { type SettingsPart, settingsPartOf } from '#lib/navigation/settings-parts.ts';
import { useAccount } from '#lib/session/session.ts';
import { TextLink } from '#ui/button.tsx';
import { HelpLink, ReferenceLink } from '#ui/buttons/help-link.tsx';
import { PageHeader } from '#ui/page.tsx';
import { SettingsTabs } from '#widgets/settings-tabs.tsx';
import { AccountSections } from './account-sections.tsx';
import { Archives } from './archives/archives.tsx';
import { BillingSection } from './card/billing-section.tsx';
import { DeleteAccount } from './deletion/delete-account.tsx';
import { LogoutButton } from './logout-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { PlanSection } from './plan/plan-section.tsx';
import { SettingsSection } from './section.tsx';
import { SectionIndex, useAnchor } from './section-index.tsx';
import { Sessions } from './sessions.tsx';
import { AccessTokens } from './tokens/access-tokens.tsx';
import { Trusts } from './tokens/trusts.tsx';
import { TwoFactor } from './two-factor/two-factor.tsx';
import { UnsavedSections } from './unsaved-sections.tsx';

const sections: { id: string; title: string }[] = [
  { id: 'security', title: 'Account & Security' },
  { id: 'profile', title: 'Contact' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'sessions', title: 'Session History' },
  { id: 'data', title: 'Your Data' },
  { id: 'plan', title: 'Plan' },
  { id: 'billing', title: 'Billing & Payment' },
  { id: 'tokens', title: 'Access tokens' },
  { id: 'trusts', title: 'Trusts for CI' },
  { id: 'leave', title: 'Leave' },
];
const resellerSections = sections
  .filter(({ id }) => id !== 'trusts' && id !== 'data')
  .map((section) => (section.id === 'profile' ? { ...section, title: 'Contact & Branding' } : section));
/** Those of a part, for its index. */
const inPart = (part: SettingsPart, reseller: boolean) =>
  (reseller ? resellerSections : sections).filter(({ id }) => settingsPartOf(id) === part);

export function Settings() {
  useTitle('Settings Hub');
  useAnchor();
  const account = useAccount();
  const reseller = account?.is_reseller ?? false;
  const part = settingsPartOf(useLocation().hash);
  const entries = useMemo(() => inPart(part, reseller), [part, reseller]);
  return (
    <>
      <PageHeader title="Settings Hub">{account?.email}</PageHeader>
      <SettingsTabs />
      <div className="grid grid-cols-1 gap-x-14 lg:grid-cols-[160px_minmax(0,1fr)]">
        <SectionIndex entries={entries} />
        <UnsavedSections>
          <div className="min-w-0">
            {/* text typed in one part stays while another part is shown */}
            <div hidden={part !== 'account'}>
              <SettingsSection
                id="security"
                title="Account & Security"
                hint="Changing the password logs you out everywhere else and deletes every access token and trust."
              >
                <PasswordForm reseller={reseller} />
                <TwoFactor />
              </SettingsSection>
              <AccountSections reseller={reseller} />
              <SettingsSection
                id="sessions"
                title="Session History"
                hint={
                  <>
                    Where your account is signed in.{' '}
                    <TextLink to={reseller ? '/reseller/audit-log' : '/dashboard/settings/audit-log'}>
                      Activity
                    </TextLink>
                  </>
                }
              >
                <Sessions />
              </SettingsSection>
              {reseller ? null : (
                <SettingsSection
                  id="data"
                  title="Your Data"
                  hint={
                    <>
                      Everything that we have of your account in one archive, which another Tonerow makes the account
                      again from: same ids, same serials, same signing keys. <HelpLink guide="moving-out" />
                    </>
                  }
                >
                  <Archives />
                </SettingsSection>
              )}
              <SettingsSection id="leave" title="Leave" hint="Sign out of this browser, or end the account.">
                <div className="flex flex-wrap gap-2">
                  <LogoutButton />
                  <DeleteAccount />
                </div>
              </SettingsSection>
            </div>
            {reseller ? null : (
              <div hidden={part !== 'plan'}>
                <SettingsSection
                  id="plan"
                  title="Plan"
                  hint="A redemption counts once, when a customer redeems a serial."
                >
                  <PlanSection />
                </SettingsSection>
                <SettingsSection
                  id="billing"
                  title="Billing & Payment"
                  hint="One invoice for each month (UTC), charged to your card after the month has ended."
                >
                  <BillingSection />
                </SettingsSection>
              </div>
            )}
            <div hidden={part !== 'tokens'}>
              <SettingsSection
                id="tokens"
                title="Access tokens"
                hint={
                  <>
                    {reseller ? 'For your shop, the terminal and scripts.' : 'For the terminal, scripts and CI.'} Each
                    can only do what its scopes allow.{' '}
                    <TextLink to={reseller ? '/reseller/requests' : '/dashboard/settings/requests'}>
                      Requests made with them
                    </TextLink>
                    . <HelpLink guide={reseller ? 'draw-codes' : 'batches-in-ci'} /> or the <ReferenceLink />.
                  </>
                }
              >
                <AccessTokens />
              </SettingsSection>
              {reseller ? null : (
                <SettingsSection
                  id="trusts"
                  title="Trusts for CI"
                  hint={
                    <>
                      Jobs of GitHub Actions and GitLab sign in by themselves: they get a token that works for 15
                      minutes, and nothing is kept as a secret there. <HelpLink guide="batches-in-ci" />
                    </>
                  }
                >
                  <Trusts />
                </SettingsSection>
              )}
            </div>
          </div>
        </UnsavedSections>
      </div>
    </>
  );
}
