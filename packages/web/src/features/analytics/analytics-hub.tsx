import { useTitle } from '#lib/hooks.ts';
import { useAccount } from '#lib/session/session.ts';
import { formatPeriod, periodOf, todayIn } from '#lib/time/period.ts';
import { DateRangeSelect } from '#ui/lists/filter-bar.tsx';
import { PageHeader, SectionHead } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { BatchConversion } from './batch-conversion.tsx';
import { Filters } from './filters.tsx';
import { KeyUse } from './key-use.tsx';
import { Machines } from './machines.tsx';
import { MonthCards } from './month-cards.tsx';
import { PeriodSection } from './period-section.tsx';
import { ShopSales } from './shop-sales.tsx';
import { StockLeft } from './stock-left.tsx';
import { type AnalyticsPart, type AnalyticsView, analyticsParts } from './view.ts';

const names: Record<AnalyticsPart, string> = { sales: 'Sales', stock: 'Stock and batches', plugins: 'Plugins' };

interface AnalyticsHubProps {
  view: AnalyticsView;
  onView: (change: Partial<AnalyticsView>) => void;
}

export function AnalyticsHub({ view, onView }: AnalyticsHubProps) {
  useTitle('Analytics');
  // the shell shows no screen without an account
  const timeZone = useAccount()?.time_zone ?? 'UTC';
  const today = todayIn(timeZone);
  const { part } = view;
  return (
    <>
      <PageHeader title="Analytics Hub" />
      <TabNav label="Analytics Hub" className="mb-4 print:hidden">
        {analyticsParts.map((each) => (
          <TabLink key={each} to="/dashboard/analytics" search={{ ...view, part: each }} current={each === part}>
            {names[each]}
          </TabLink>
        ))}
      </TabNav>
      <Filters part={part} filter={view} onFilter={onView} />
      {part === 'sales' ? (
        <>
          <MonthCards today={today} filter={view} />
          <PeriodSection view={view} onView={onView} today={today} timeZone={timeZone} />
          <ShopSales period={periodOf(view.range, today)} />
        </>
      ) : part === 'stock' ? (
        <section aria-labelledby="stock-and-batches" className="flex flex-col gap-4">
          <h2 id="stock-and-batches" className="font-semibold">
            Stock and batches
          </h2>
          <StockLeft product={view.product} />
          <BatchConversion product={view.product} reseller={view.reseller} />
        </section>
      ) : (
        <>
          <Machines product={view.product} seen={view.seen} onSeen={(seen) => onView({ seen })} />
          <section aria-labelledby="plugin-keys" className="mt-10">
            <SectionHead id="plugin-keys" title="Plugin keys" hint={formatPeriod(periodOf(view.range, today))}>
              <DateRangeSelect
                label="Period"
                value={view.range}
                onChange={(range) => onView({ range })}
                className="max-sm:w-full print:hidden"
              />
            </SectionHead>
            <KeyUse period={periodOf(view.range, today)} />
          </section>
        </>
      )}
    </>
  );
}
