import { createFileRoute } from '@tanstack/react-router';
import { ComingSoon } from '../../../../features/coming-soon/coming-soon.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/')({
  beforeLoad: requireDeveloper,
  component: () => <ComingSoon page="resellers" />,
});
