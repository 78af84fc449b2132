import { useTitle } from '../../lib/hooks.ts';
import { useUser } from '../../lib/session.ts';
import { TextLink } from '../../ui/button.tsx';
import { HelpLink, ReferenceLink } from '../../ui/help-link.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { SettingsTabs } from '../../widgets/settings-tabs.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { AccountSections } from './account-sections.tsx';
import { BillingSection } from './card/billing-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { LogoutButton } from './logout-button.tsx';
import { PasswordForm } from './password-form.tsx';
import { PlanSection } from './plan-section.tsx';
import { SettingsSection } from './section.tsx';
import { SectionIndex, useAnchor } from './section-index.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';
import { UnsavedSections } from './unsaved-sections.tsx';

const sections = [
  { id: 'security', title: 'Account & Security' },
  { id: 'profile', title: 'Contact' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'sessions', title: 'Session History' },
  { id: 'plan', title: 'Plan' },
  { id: 'billing', title: 'Billing & Payment' },
  { id: 'tokens', title: 'Access tokens' },
  { id: 'leave', title: 'Leave' },
];
const resellerSections = sections
  .filter(({ id }) => id !== 'plan' && id !== 'billing')
  .map((section) => (section.id === 'profile' ? { ...section, title: 'Contact & Branding' } : section));

export function Settings() {
  useTitle('Settings Hub');
  useAnchor();
  const user = useUser();
  const reseller = user?.is_reseller ?? false;
  return (
    <>
      <PageHeader title="Settings Hub">{user?.email}</PageHeader>
      <SettingsTabs />
      <div className="grid grid-cols-1 gap-x-14 lg:grid-cols-[160px_minmax(0,1fr)]">
        <SectionIndex entries={reseller ? resellerSections : sections} />
        <UnsavedSections>
          <div className="min-w-0 border-t border-line pt-8 lg:border-t-0 lg:pt-0">
            <SettingsSection
              id="security"
              title="Account & Security"
              hint="Changing the password logs you out everywhere else and deletes every access token."
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
                  Where your account is logged in.{' '}
                  <TextLink to={reseller ? '/reseller/audit-log' : '/dashboard/settings/audit-log'}>
                    What was done there
                  </TextLink>
                </>
              }
            >
              <Sessions />
            </SettingsSection>
            {reseller ? null : (
              <>
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
              </>
            )}
            <SettingsSection
              id="tokens"
              title="Access tokens"
              hint={
                <>
                  {reseller ? 'For your shop, the command line and scripts.' : 'For the command line, scripts and CI.'}{' '}
                  Each can only do what its scopes allow.{' '}
                  <TextLink to={reseller ? '/reseller/requests' : '/dashboard/settings/requests'}>
                    What was asked with them
                  </TextLink>
                  . <HelpLink guide={reseller ? 'draw-codes' : 'batches-in-ci'} /> or the <ReferenceLink />.
                </>
              }
            >
              <AccessTokens />
            </SettingsSection>
            <SettingsSection id="leave" title="Leave" hint="Log out of this browser, or end the account.">
              <div className="flex flex-wrap gap-2">
                <LogoutButton />
                <DeleteAccount />
              </div>
            </SettingsSection>
          </div>
        </UnsavedSections>
      </div>
    </>
  );
}
