import { createFileRoute } from '@tanstack/react-router';
import { PartnersPage } from '../../../features/reseller/partners-page.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/partners')({
  beforeLoad: requireReseller,
  component: PartnersPage,
});
