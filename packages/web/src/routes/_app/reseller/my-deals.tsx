import { createFileRoute } from '@tanstack/react-router';
import { ComingSoon } from '../../../features/coming-soon/coming-soon.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/my-deals')({
  beforeLoad: requireReseller,
  component: () => <ComingSoon page="deals" />,
});
