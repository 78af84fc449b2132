import { useTitle } from '#lib/hooks.ts';
import { todayIn } from '#lib/time/period.ts';
import { BillingTabs } from './billing-tabs.tsx';
import { History } from './history.tsx';
import { MonthSection } from './month-section.tsx';
import { PeriodSection } from './period-section.tsx';

interface BillingHubProps {
  range: string;
  onRange: (range: string) => void;
  page: number;
  onPage: (page: number) => void;
}

/** What the running month costs, any period, and every month before. */
export function BillingHub({ range, onRange, page, onPage }: BillingHubProps) {
  useTitle('Billing');
  // months are billed in UTC, whatever the account's time zone
  const today = todayIn('UTC');
  return (
    <>
      <BillingTabs />
      <MonthSection today={today} />
      <PeriodSection range={range} onRange={onRange} today={today} />
      <History page={page} onPage={onPage} />
    </>
  );
}
