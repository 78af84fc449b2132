import { useQuery } from '@tanstack/react-query';
import { formatMoney, plural } from '#lib/format/format.ts';
import { daysBetween, periodOf, zoneName } from '#lib/time/period.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { PeriodFrame } from '#ui/figures/period-frame.tsx';
import { Empty } from '#ui/states.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { analyticsCsv, analyticsQuery } from './analytics-query.ts';
import { Locations } from './locations.tsx';
import { PeriodCharts } from './period-charts.tsx';
import { SaleSummaries } from './sale-summaries.tsx';
import { type AnalyticsView, isFiltered, unfiltered } from './view.ts';

interface PeriodSectionProps {
  view: AnalyticsView;
  onView: (change: Partial<AnalyticsView>) => void;
  today: string;
  timeZone: string;
}

export function PeriodSection({ view, onView, today, timeZone }: PeriodSectionProps) {
  const period = periodOf(view.range, today);
  const figures = useQuery(analyticsQuery(period, view));
  const { data } = figures;
  const nothing = data?.totals.redemptions === 0;
  return (
    <PeriodFrame
      period={period}
      range={view.range}
      onRange={(range) => onView({ range })}
      hint={`Days begin and end in ${zoneName(data?.time_zone ?? timeZone)}.`}
      actions={
        <SaveButton
          file={`analytics-${period.from}-to-${period.to}.csv`}
          stream={() => analyticsCsv(period, view)}
          disabled={!data || nothing}
          className="max-sm:w-full"
        >
          Download CSV
        </SaveButton>
      }
      query={figures}
      announcement={data ? `${formatMoney(data.totals.revenue)}, ${plural(data.totals.redemptions, 'redemption')}` : ''}
      empty={nothing ? <NoSales days={daysBetween(period)} filtered={isFiltered(view)} onView={onView} /> : null}
    >
      <PeriodCharts data={data} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <SaleSummaries data={data} view={view} onView={onView} />
        <Locations period={data?.customerGeo} view={view} onView={onView} />
      </div>
    </PeriodFrame>
  );
}

interface NoSalesProps {
  days: number;
  filtered: boolean;
  onView: PeriodSectionProps['onView'];
}

function NoSales({ days, filtered, onView }: NoSalesProps) {
  if (filtered) {
    return (
      <Empty
        title="No sales match these filters"
        action={<Button onClick={() => onView(unfiltered)}>Clear filters</Button>}
      >
        No redemption in this period matches all of them.
      </Empty>
    );
  }
  return (
    <Empty
      title="No sales in this period"
      action={
        days < 30 ? (
          <Button onClick={() => onView({ range: '1m' })}>Show 1 Month</Button>
        ) : (
          <LinkButton to="/dashboard/serials/generator" variant="primary">
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
