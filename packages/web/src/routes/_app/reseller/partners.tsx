import { createFileRoute } from '@tanstack/react-router';
import { PartnersPage } from '#features/developers-i-sell/developers-page.tsx';
import { flag, searched, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/partners')({
  ...searchSchema({ past: flag, search: searched }),
  beforeLoad: requireReseller,
  component: PartnersScreen,
});

function PartnersScreen() {
  const [search, change] = useSearchState(Route);
  return <PartnersPage {...search} onSearch={(next) => change({ search: next })} />;
}
