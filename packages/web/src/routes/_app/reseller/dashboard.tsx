import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '#features/reseller-sales/dashboard-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/dashboard')({
  beforeLoad: requireReseller,
  component: DashboardPage,
});
