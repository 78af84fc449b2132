import { createFileRoute } from '@tanstack/react-router';
import { LicensingApi } from '#features/keys/licensing-api.tsx';
import { setupSearch } from '#features/keys/setup-search.ts';
import { oneOf, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/licensingapi')({
  ...searchSchema({ tab: oneOf(['hise']), ...setupSearch, stale: oneOf([90]) }),
  beforeLoad: requireDeveloper,
  component: LicensingScreen,
});

function LicensingScreen() {
  const [search, change] = useSearchState(Route);
  return <LicensingApi search={search} onSearch={(next) => change(next, { replace: true })} />;
}
