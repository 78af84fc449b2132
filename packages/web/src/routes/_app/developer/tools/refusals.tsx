import { createFileRoute } from '@tanstack/react-router';
import { Refusals } from '#features/refusals/refusals.tsx';
import { choiceParam, idParam } from '#lib/navigation/search-params.ts';
import { type ListedStatus, listedStatuses } from '#lib/refusal-statuses.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

interface RefusalsSearch {
  status?: ListedStatus | undefined;
  product?: string | undefined;
}

export const Route = createFileRoute('/_app/developer/tools/refusals')({
  validateSearch: (search: Record<string, unknown>): RefusalsSearch => ({
    status: choiceParam(search.status, listedStatuses),
    product: idParam(search.product),
  }),
  beforeLoad: requireDeveloper,
  component: RefusalsScreen,
});

function RefusalsScreen() {
  const { status, product = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Refusals
      filter={{ status, product }}
      onFilter={(filter) =>
        navigate({
          search: { status: filter.status, product: filter.product || undefined },
          resetScroll: false,
        })
      }
    />
  );
}
