import { createFileRoute } from '@tanstack/react-router';
import { HisePage } from '#features/keys/hise-page.tsx';
import type { SetupSearch } from '#features/keys/use-setup.ts';
import { textParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/hise')({
  validateSearch: (search: Record<string, unknown>): SetupSearch => ({
    product: textParam(search.product),
    key: textParam(search.key),
  }),
  beforeLoad: requireDeveloper,
  component: HiseScreen,
});

function HiseScreen() {
  const navigate = Route.useNavigate();
  return (
    <HisePage
      search={Route.useSearch()}
      onSearch={(patch) =>
        navigate({ search: (before) => ({ ...before, ...patch }), replace: true, resetScroll: false })
      }
    />
  );
}
