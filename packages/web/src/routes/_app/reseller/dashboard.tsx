import { createFileRoute } from '@tanstack/react-router';
import { ResellerStart } from '../../../features/reseller/reseller-start.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/dashboard')({
  beforeLoad: requireReseller,
  component: ResellerStart,
});
