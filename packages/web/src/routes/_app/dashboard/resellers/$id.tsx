import { createFileRoute } from '@tanstack/react-router';
import { ComingSoon } from '../../../../features/coming-soon/coming-soon.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/$id')({
  beforeLoad: requireDeveloper,
  component: () => <ComingSoon page="reseller" />,
});
