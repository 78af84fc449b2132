import { createFileRoute } from '@tanstack/react-router';
import { ResellersPage } from '../../../../features/resellers/resellers-page.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/')({
  validateSearch: ({ past }: Record<string, unknown>): { past?: true } => (past === true ? { past } : {}),
  beforeLoad: requireDeveloper,
  component: ResellersScreen,
});

function ResellersScreen() {
  const { past = false } = Route.useSearch();
  return <ResellersPage past={past} />;
}
