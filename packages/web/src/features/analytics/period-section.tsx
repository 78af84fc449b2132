import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../lib/download.ts';
import { formatMoney, plural } from '../../lib/format.ts';
import { useOnce } from '../../lib/hooks.ts';
import { daysBetween, defaultRange, formatPeriod, type Period, periodOf, zoneName } from '../../lib/period.ts';
import { endSessionOn401 } from '../../lib/query.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { DateRangeSelect } from '../../ui/filter-bar.tsx';
import { Panel } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { analyticsCsv, analyticsQuery } from './analytics-query.ts';
import { Locations } from './locations.tsx';
import { PeriodCharts } from './period-charts.tsx';
import { SaleSummaries } from './sale-summaries.tsx';
import type { AnalyticsView } from './view.ts';

interface PeriodSectionProps {
  view: AnalyticsView;
  onView: (change: Partial<AnalyticsView>) => void;
  today: string;
  timeZone: string;
}

export function PeriodSection({ view, onView, today, timeZone }: PeriodSectionProps) {
  const period = periodOf(view.range, today);
  const figures = useQuery(analyticsQuery(period));
  const { data } = figures;
  const nothing = data?.totals.redemptions === 0;
  return (
    <section aria-labelledby="period" className="mt-10">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="period" className="figures font-semibold">
            {formatPeriod(period)}
          </h2>
          <p className="text-sm text-muted">Days begin and end in {zoneName(data?.time_zone ?? timeZone)}.</p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <DateRangeSelect
            label="Period"
            value={view.range}
            onChange={(range) => onView({ range })}
            className="max-sm:w-full"
          />
          <CsvButton period={period} disabled={!data || nothing} />
        </div>
      </div>
      <p role="status" className="sr-only">
        {data && !figures.isPlaceholderData
          ? `${formatPeriod(period)}: ${formatMoney(data.totals.revenue)}, ${plural(data.totals.redemptions, 'redemption')}`
          : ''}
      </p>
      {figures.isError ? (
        <Panel>
          <Failed
            title="This period couldn't be loaded"
            error={figures.error}
            retry={figures.refetch}
            retrying={figures.isFetching}
          />
        </Panel>
      ) : nothing ? (
        <Panel className={cn('transition-opacity', figures.isPlaceholderData && 'opacity-60')}>
          <NoSales days={daysBetween(period)} onView={onView} />
        </Panel>
      ) : (
        <div
          className={cn('flex flex-col gap-4 transition-opacity', figures.isPlaceholderData && 'opacity-60')}
          aria-busy={!data || figures.isPlaceholderData}
        >
          <PeriodCharts data={data} />
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <SaleSummaries data={data} view={view} onView={onView} />
            <Locations period={data?.customerGeo} view={view} onView={onView} />
          </div>
        </div>
      )}
    </section>
  );
}

function NoSales({ days, onView }: { days: number; onView: PeriodSectionProps['onView'] }) {
  return (
    <Empty
      title="No sales in this period"
      action={
        days < 30 ? (
          <Button onClick={() => onView({ range: defaultRange })}>Show 1 Month</Button>
        ) : (
          <LinkButton to="/dashboard/serials" search={{ tab: 'generator' }} variant="primary">
            Generate serials
          </LinkButton>
        )
      }
    >
      {days < 30
        ? 'No serials were redeemed in this period. Try a longer one.'
        : 'Figures appear here when customers redeem serials. Generate some and hand them out, or choose another period.'}
    </Empty>
  );
}

function CsvButton({ period, disabled }: { period: Period; disabled: boolean }) {
  const [busy, setBusy] = useState(false);
  const download = useOnce(async () => {
    setBusy(true);
    try {
      saveFile(`analytics-${period.from}-to-${period.to}.csv`, [await analyticsCsv(period)]);
    } catch (error) {
      endSessionOn401(error);
      notify.error('Export failed.', error);
    } finally {
      setBusy(false);
    }
  });
  return (
    <Button onClick={download} busy={busy} disabled={disabled} className="max-sm:w-full">
      <Download className="size-4" aria-hidden />
      Download CSV
    </Button>
  );
}
