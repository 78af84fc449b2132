import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '#lib/queries/account.ts';
import { TextLink } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { NotificationsForm } from './notifications-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SettingsSection } from './section.tsx';

/** The two sections that share one response of the server. */
export function AccountSections({ reseller }: { reseller: boolean }) {
  const settings = useQuery(settingsQuery);
  const waiting = settings.isError ? (
    <Panel>
      <Failed
        title="Settings couldn't be loaded"
        error={settings.error}
        retry={settings.refetch}
        retrying={settings.isFetching}
        className="py-10"
      />
    </Panel>
  ) : null;
  return (
    <>
      <SettingsSection
        id="profile"
        title={reseller ? 'Contact & Branding' : 'Contact'}
        hint={
          reseller ? (
            'What developers see about you.'
          ) : (
            <>
              Your own details. What your customers see, the logo and where they get help, is under{' '}
              <TextLink to="/dashboard/settings/branding">Branding</TextLink>.
            </>
          )
        }
      >
        {settings.data ? (
          <ProfileForm settings={settings.data} reseller={reseller} />
        ) : (
          (waiting ?? <FormSkeleton reseller={reseller} />)
        )}
      </SettingsSection>
      <SettingsSection id="notifications" title="Notifications" hint="What we email you about.">
        {settings.data ? (
          <NotificationsForm settings={settings.data} reseller={reseller} />
        ) : (
          (waiting ?? <span className="skeleton h-[300px]" />)
        )}
      </SettingsSection>
    </>
  );
}

function FormSkeleton({ reseller }: { reseller: boolean }) {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading the settings</span>
      {reseller ? <span className="skeleton size-16" /> : null}
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        {(reseller ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 1, 2, 3, 4, 5]).map((field) => (
          <div key={field} className="flex flex-col gap-2">
            <span className="skeleton h-4 w-24" />
            <span className="skeleton h-9 w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}
