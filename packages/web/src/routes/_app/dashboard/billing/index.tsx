import { createFileRoute } from '@tanstack/react-router';
import { BillingHub } from '#features/billing/billing-hub.tsx';
import { pageParam, rangeParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';
import { defaultRange } from '#lib/time/period.ts';

interface BillingSearch {
  range?: string | undefined;
  /** Of the history; the first one is the latest month. */
  page?: number | undefined;
}

export const Route = createFileRoute('/_app/dashboard/billing/')({
  validateSearch: (search: Record<string, unknown>): BillingSearch => ({
    range: rangeParam(search.range),
    page: pageParam(search.page),
  }),
  beforeLoad: requireDeveloper,
  component: BillingScreen,
});

function BillingScreen() {
  const { range = defaultRange, page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (next: { range: string; page: number }) =>
    navigate({
      search: {
        range: next.range === defaultRange ? undefined : next.range,
        page: next.page > 1 ? next.page : undefined,
      },
      resetScroll: false,
    });
  return (
    <BillingHub
      range={range}
      onRange={(next) => go({ range: next, page })}
      page={page}
      onPage={(next) => go({ range, page: next })}
    />
  );
}
