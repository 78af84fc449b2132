import { useTitle } from '../../lib/hooks.ts';
import { todayIn } from '../../lib/period.ts';
import { useUser } from '../../lib/session.ts';
import { PageHeader } from '../../ui/page.tsx';
import { Machines } from './machines.tsx';
import { MonthCards } from './month-cards.tsx';
import { PeriodSection } from './period-section.tsx';
import type { AnalyticsView } from './view.ts';

interface AnalyticsHubProps {
  view: AnalyticsView;
  onView: (change: Partial<AnalyticsView>) => void;
}

export function AnalyticsHub({ view, onView }: AnalyticsHubProps) {
  useTitle('Analytics');
  // the shell shows no screen without a user
  const timeZone = useUser()?.time_zone ?? 'UTC';
  const today = todayIn(timeZone);
  return (
    <>
      <PageHeader title="Analytics Hub" />
      <MonthCards today={today} />
      <PeriodSection view={view} onView={onView} today={today} timeZone={timeZone} />
      <Machines product={view.product} onProduct={(product) => onView({ product })} />
    </>
  );
}
