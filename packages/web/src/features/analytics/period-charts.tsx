import { useMemo } from 'react';
import { ChartPanel } from '../../charts/chart-panel.tsx';
import type { ChartData } from '../../charts/types.ts';
import { formatCount, formatMoney, plural } from '../../lib/format.ts';
import { daysBetween, formatPeriod } from '../../lib/period.ts';
import type { Analytics } from '../../lib/types.ts';
import { byReseller, overTime, type Step, stepOf } from './series.ts';

const paces: Record<Step, string> = { day: 'by day', week: 'by week', month: 'by month' };

interface Drawn {
  step: Step;
  period: string;
  revenue: ChartData;
  redemptions: ChartData;
  resellers: ChartData;
}

function drawnOf(data: Analytics): Drawn {
  const period = { from: data.startDate, to: data.endDate };
  const step = stepOf(daysBetween(period));
  return {
    step,
    period: formatPeriod(period),
    revenue: overTime(data, 'revenue', step),
    redemptions: overTime(data, 'redemptions', step),
    resellers: byReseller(data),
  };
}

export function PeriodCharts({ data }: { data: Analytics | undefined }) {
  const drawn = useMemo(() => data && drawnOf(data), [data]);
  const sold = drawn?.resellers.points.length ?? 0;
  const first = drawn?.resellers.points[0];
  return (
    <>
      <ChartPanel
        title="Revenue over time"
        kind="line"
        data={drawn?.revenue}
        figure={data && formatMoney(data.totals.revenue)}
        hint={drawn && paces[drawn.step]}
        label={drawn ? `Revenue ${paces[drawn.step]}, ${drawn.period}. ${peakOf(drawn.revenue)}` : ''}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <ChartPanel
          title="Redemptions over time"
          kind="columns"
          data={drawn?.redemptions}
          figure={data && formatCount(data.totals.redemptions)}
          hint={drawn && paces[drawn.step]}
          label={drawn ? `Redemptions ${paces[drawn.step]}, ${drawn.period}. ${peakOf(drawn.redemptions)}` : ''}
        />
        <ChartPanel
          title="Reseller stats"
          kind="bars"
          data={drawn?.resellers}
          figure={drawn && plural(sold, 'reseller')}
          label={
            drawn && first
              ? `${drawn.resellers.columns[0].name} by reseller. ${first.title} has the most, ${drawn.resellers.columns[0].format(first.values[0])}.`
              : ''
          }
          empty={sold === 0 ? 'No reseller sold anything in this period.' : undefined}
        />
      </div>
    </>
  );
}

/** A line chart in one sentence, for screen readers. */
function peakOf({ columns, points }: ChartData): string {
  const peak = points.reduce<ChartData['points'][number] | undefined>(
    (best, point) => (best && best.values[0] >= point.values[0] ? best : point),
    undefined,
  );
  return peak ? `The most was ${columns[0].format(peak.values[0])}, ${peak.title}.` : '';
}
