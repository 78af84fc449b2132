import { useTitle } from '../../lib/hooks.ts';
import { periodOf, todayIn } from '../../lib/period.ts';
import { useUser } from '../../lib/session.ts';
import { PageHeader } from '../../ui/page.tsx';
import { BatchConversion } from './batch-conversion.tsx';
import { Filters } from './filters.tsx';
import { KeyUse } from './key-use.tsx';
import { Machines } from './machines.tsx';
import { MonthCards } from './month-cards.tsx';
import { PeriodSection } from './period-section.tsx';
import { StockLeft } from './stock-left.tsx';
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
      <Filters filter={view} onFilter={onView} />
      <MonthCards today={today} filter={view} />
      <PeriodSection view={view} onView={onView} today={today} timeZone={timeZone} />
      <section aria-labelledby="stock-and-batches" className="mt-10 flex flex-col gap-4">
        <h2 id="stock-and-batches" className="font-semibold">
          Stock and batches
        </h2>
        <StockLeft product={view.product} />
        <BatchConversion product={view.product} reseller={view.reseller} />
      </section>
      <Machines product={view.product} seen={view.seen} onSeen={(seen) => onView({ seen })} />
      <section aria-labelledby="plugin-keys" className="mt-10">
        <h2 id="plugin-keys" className="mb-4 font-semibold">
          Plugin keys
        </h2>
        <KeyUse period={periodOf(view.range, today)} />
      </section>
    </>
  );
}
