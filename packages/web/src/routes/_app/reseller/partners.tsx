import { createFileRoute } from '@tanstack/react-router';
import { PartnersPage } from '../../../features/reseller/partners-page.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/partners')({
  validateSearch: ({ past }: Record<string, unknown>): { past?: true } => (past === true ? { past } : {}),
  beforeLoad: requireReseller,
  component: PartnersScreen,
});

function PartnersScreen() {
  const { past = false } = Route.useSearch();
  return <PartnersPage past={past} />;
}
