import { createFileRoute, redirect } from '@tanstack/react-router';
import { searchOf } from '#features/analytics/address.ts';
import { AnalyticsHub } from '#features/analytics/analytics-hub.tsx';
import {
  type AnalyticsSearch,
  type AnalyticsView,
  analyticsParts,
  defaultSeen,
  saleSorts,
  seenDays,
} from '#features/analytics/view.ts';
import { knownUser } from '#lib/navigation/hub-tab.ts';
import { choiceParam, countryParam, idParam, rangeParam } from '#lib/navigation/search-params.ts';
import { defaultRange } from '#lib/time/period.ts';

export const Route = createFileRoute('/_app/dashboard/analytics')({
  validateSearch: (search: Record<string, unknown>): AnalyticsSearch => ({
    part: choiceParam(search.part, analyticsParts),
    range: rangeParam(search.range),
    sort: choiceParam(search.sort, saleSorts),
    order: choiceParam(search.order, ['asc']),
    locations: choiceParam(search.locations, ['all']),
    seen: seenDays.find((days) => days === Number(search.seen)),
    product: idParam(search.product),
    reseller: search.reseller === 'none' ? 'none' : idParam(search.reseller),
    country: countryParam(search.country),
  }),
  // the tab is either role's, its screen is not
  beforeLoad: async ({ context }) => {
    const user = await knownUser(context.queryClient);
    if (user.is_reseller) throw redirect({ to: '/reseller/analytics', replace: true });
  },
  component: AnalyticsScreen,
});

function AnalyticsScreen() {
  const {
    part = 'sales',
    range = defaultRange,
    sort = 'redemptions',
    order,
    locations,
    seen = defaultSeen,
    product = '',
    reseller = '',
    country = '',
  } = Route.useSearch();
  const navigate = Route.useNavigate();
  const view: AnalyticsView = {
    part,
    range,
    sort,
    descending: order !== 'asc',
    everywhere: locations === 'all',
    seen,
    product,
    reseller,
    country,
  };
  return (
    <AnalyticsHub
      view={view}
      onView={(change) => {
        const next = { ...view, ...change };
        navigate({
          search: searchOf(next),
          resetScroll: false,
        });
      }}
    />
  );
}
