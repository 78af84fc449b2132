import { createFileRoute, Outlet } from '@tanstack/react-router';
import { AdminTabs } from '../../features/admin/admin-tabs.tsx';
import { requireAdmin } from '../../features/admin/guard.ts';

export const Route = createFileRoute('/_app/admin')({ beforeLoad: requireAdmin, component: AdminScreens });

function AdminScreens() {
  return (
    <>
      <AdminTabs />
      <Outlet />
    </>
  );
}
