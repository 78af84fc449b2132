import { createFileRoute } from '@tanstack/react-router';
import { RequestLog } from '#features/logs/request-log.tsx';
import { requestSearch } from '#features/logs/searches.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/requests')({
  ...searchSchema(requestSearch),
  beforeLoad: requireReseller,
  component: RequestScreen,
});

function RequestScreen() {
  const [filter, change] = useSearchState(Route);
  return <RequestLog reseller filter={filter} onFilter={(next) => change(next, { replace: true })} />;
}
