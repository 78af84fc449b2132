import { createFileRoute } from '@tanstack/react-router';
import { HisePage } from '#features/keys/hise-page.tsx';
import { setupSearch } from '#features/keys/setup-search.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/hise')({
  ...searchSchema(setupSearch),
  beforeLoad: requireDeveloper,
  component: HiseScreen,
});

function HiseScreen() {
  const [search, change] = useSearchState(Route);
  return <HisePage search={search} onSearch={(next) => change(next, { replace: true })} />;
}
