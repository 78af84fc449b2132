import { createFileRoute } from '@tanstack/react-router';
import { ResellersPage } from '#features/resellers/resellers-page.tsx';
import { flag, searched, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/')({
  ...searchSchema({ past: flag, search: searched }),
  beforeLoad: requireDeveloper,
  component: ResellersScreen,
});

function ResellersScreen() {
  const [search, change] = useSearchState(Route);
  return <ResellersPage {...search} onSearch={(next) => change({ search: next })} />;
}
