import { createFileRoute } from '@tanstack/react-router';
import { AnalyticsPage } from '#features/reseller-sales/analytics-page.tsx';
import { defaultWindow, type Window, windowParam } from '#features/reseller-sales/windows.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/analytics')({
  validateSearch: ({ days }: Record<string, unknown>): { days?: Window | undefined } => ({ days: windowParam(days) }),
  beforeLoad: requireReseller,
  component: AnalyticsScreen,
});

function AnalyticsScreen() {
  const { days = defaultWindow } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AnalyticsPage
      days={days}
      onDays={(next) => navigate({ search: { days: next === defaultWindow ? undefined : next } })}
    />
  );
}
