import { useTitle } from '../../lib/hooks.ts';
import { todayIn } from '../../lib/period.ts';
import { PageHeader } from '../../ui/page.tsx';
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
      <PageHeader title="Billing Hub">Days and months begin and end in UTC, as they are billed.</PageHeader>
      <MonthSection today={today} />
      <PeriodSection range={range} onRange={onRange} today={today} />
      <History page={page} onPage={onPage} />
    </>
  );
}
