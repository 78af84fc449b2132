import { createFileRoute, redirect } from '@tanstack/react-router';
import { AnalyticsHub } from '#features/analytics/analytics-hub.tsx';
import { analyticsSearch } from '#features/analytics/view.ts';
import { knownAccount } from '#lib/navigation/hub-tab.ts';
import { searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';

export const Route = createFileRoute('/_app/dashboard/analytics')({
  ...searchSchema(analyticsSearch),
  // the tab is either role's, its screen is not
  beforeLoad: async ({ context }) => {
    const account = await knownAccount(context.queryClient);
    if (account.is_reseller) throw redirect({ to: '/reseller/analytics', replace: true });
  },
  component: AnalyticsScreen,
});

function AnalyticsScreen() {
  const [view, change] = useSearchState(Route);
  return <AnalyticsHub view={view} onView={change} />;
}
