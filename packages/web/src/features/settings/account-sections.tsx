import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../lib/queries/account.ts';
import { Panel } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
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
        title="Contact & Branding"
        hint={reseller ? 'What developers see about you.' : 'Your details, and where customers can get help.'}
      >
        {settings.data ? <ProfileForm settings={settings.data} reseller={reseller} /> : (waiting ?? <FormSkeleton />)}
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

function FormSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading the settings</span>
      <span className="skeleton size-16" />
      <div className="grid gap-5 sm:grid-cols-2">
        {[0, 1, 2, 3, 4, 5, 6].map((field) => (
          <div key={field} className="flex flex-col gap-2">
            <span className="skeleton h-4 w-24" />
            <span className="skeleton h-9 w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}
