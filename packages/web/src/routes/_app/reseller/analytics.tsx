import { createFileRoute } from '@tanstack/react-router';
import { AnalyticsPage } from '#features/reseller-sales/analytics-page.tsx';
import { defaultWindow, windows } from '#features/reseller-sales/windows.ts';
import { oneOf, or, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/analytics')({
  ...searchSchema({ days: or(oneOf(windows), defaultWindow) }),
  beforeLoad: requireReseller,
  component: AnalyticsScreen,
});

function AnalyticsScreen() {
  const [{ days }, change] = useSearchState(Route);
  return <AnalyticsPage days={days} onDays={(next) => change({ days: next })} />;
}
