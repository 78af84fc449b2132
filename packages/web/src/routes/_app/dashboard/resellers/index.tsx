import { createFileRoute } from '@tanstack/react-router';
import { ResellersPage } from '../../../../features/resellers/resellers-page.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/')({
  beforeLoad: requireDeveloper,
  component: ResellersPage,
});
