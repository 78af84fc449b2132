import { createFileRoute } from '@tanstack/react-router';
import { DevelopersPage } from '#features/developers-i-sell/developers-page.tsx';
import { flag, searched, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/partners')({
  ...searchSchema({ past: flag, search: searched }),
  beforeLoad: requireReseller,
  component: DevelopersScreen,
});

function DevelopersScreen() {
  const [search, change] = useSearchState(Route);
  return <DevelopersPage {...search} onSearch={(next) => change({ search: next })} />;
}
