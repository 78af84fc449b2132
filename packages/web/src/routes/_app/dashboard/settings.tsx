import { createFileRoute, Outlet } from '@tanstack/react-router';
import { SettingsTabs } from '../../../features/branding/settings-tabs.tsx';

export const Route = createFileRoute('/_app/dashboard/settings')({ component: SettingsScreens });

function SettingsScreens() {
  return (
    <>
      <SettingsTabs />
      <Outlet />
    </>
  );
}
