import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTitle } from '../../lib/hooks.ts';
import { useLive } from '../../lib/live.ts';
import { useUser } from '../../lib/session.ts';
import { PageHeader } from '../../ui/page.tsx';
import { Machines } from './machines.tsx';
import { MonthCards } from './month-cards.tsx';
import { todayIn } from './period.ts';
import { PeriodSection } from './period-section.tsx';
import type { AnalyticsView } from './view.ts';

interface AnalyticsHubProps {
  view: AnalyticsView;
  onView: (change: Partial<AnalyticsView>) => void;
}

export function AnalyticsHub({ view, onView }: AnalyticsHubProps) {
  useTitle('Analytics');
  useFresh();
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

const quiet = 5000;

/** Figures follow what happens, but a rush of redemptions reads them once every few seconds. */
function useFresh() {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive(({ type }) => {
    if (type !== 'redemption' && type !== 'import' && type !== 'resync') return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      queryClient.invalidateQueries({ queryKey: ['analytics'] });
    }, quiet);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
