import { createFileRoute } from '@tanstack/react-router';
import { Refusals } from '#features/refusals/refusals.tsx';
import { id, oneOf, or, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { listedStatuses } from '#lib/refusal-statuses.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/developer/tools/refusals')({
  ...searchSchema({ status: oneOf(listedStatuses), product: or(id, '') }),
  beforeLoad: requireDeveloper,
  component: RefusalsScreen,
});

function RefusalsScreen() {
  const [filter, change] = useSearchState(Route);
  return <Refusals filter={filter} onFilter={change} />;
}
