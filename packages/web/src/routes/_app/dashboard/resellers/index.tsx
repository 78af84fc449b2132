import { createFileRoute } from '@tanstack/react-router';
import { Soon } from '../../../../features/later/soon.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/')({
  beforeLoad: requireDeveloper,
  component: () => <Soon page="resellers" />,
});
