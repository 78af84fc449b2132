import { useMemo } from 'react';
import { ChartPanel } from '#charts/chart-panel.tsx';
import { paces, peakOf, type Step, stepOf } from '#charts/over-time.ts';
import type { ChartData } from '#charts/types.ts';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { daysBetween, formatPeriod } from '#lib/time/period.ts';
import type { Analytics } from '#lib/types.ts';
import { byReseller, seriesOf, stackOf } from './series.ts';

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
    revenue: stackOf(data, step),
    redemptions: seriesOf(data, 'redemptions', step),
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
        kind="stacked"
        data={drawn?.revenue}
        figure={data && formatMoney(data.totals.revenue)}
        hint={drawn && `by product and ${paces[drawn.step].slice(3)}`}
        label={drawn ? `Revenue ${paces[drawn.step]}, ${drawn.period}. ${peakOf(drawn.revenue)}` : ''}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
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
