import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '../../../features/sales/dashboard-page.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/dashboard')({
  beforeLoad: requireReseller,
  component: DashboardPage,
});
