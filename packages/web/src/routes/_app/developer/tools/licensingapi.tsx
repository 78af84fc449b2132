import { createFileRoute } from '@tanstack/react-router';
import { LicensingApi, type LicensingSearch } from '#features/keys/licensing-api.tsx';
import { choiceParam, textParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/licensingapi')({
  validateSearch: (search: Record<string, unknown>): LicensingSearch => ({
    tab: choiceParam(search.tab, ['hise']),
    file: textParam(search.file),
    product: textParam(search.product),
    key: textParam(search.key),
    stale: Number(search.stale) === 90 ? 90 : undefined,
  }),
  beforeLoad: requireDeveloper,
  component: LicensingScreen,
});

function LicensingScreen() {
  const navigate = Route.useNavigate();
  return (
    <LicensingApi
      search={Route.useSearch()}
      onSearch={(patch) =>
        navigate({ search: (before) => ({ ...before, ...patch }), replace: true, resetScroll: false })
      }
    />
  );
}
