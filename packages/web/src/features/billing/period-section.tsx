import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ChartPanel } from '#charts/chart-panel.tsx';
import { peakOf } from '#charts/over-time.ts';
import { api } from '#lib/api.ts';
import { formatCount, formatExactMoney, plural } from '#lib/format/format.ts';
import { billingPeriodQuery, inPeriod } from '#lib/queries/billing.ts';
import { periodOf } from '#lib/time/period.ts';
import { PeriodFrame } from '#ui/figures/period-frame.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { seriesOf } from './series.ts';

interface PeriodSectionProps {
  range: string;
  onRange: (range: string) => void;
  today: string;
}

/** Overage and redemptions of any period. */
export function PeriodSection({ range, onRange, today }: PeriodSectionProps) {
  const period = periodOf(range, today);
  const figures = useQuery(billingPeriodQuery(period));
  const { data } = figures;
  const drawn = useMemo(() => data && seriesOf(data), [data]);
  const label = (what: string, chart: 'cost' | 'redemptions') =>
    drawn ? `${what} ${drawn.pace}, ${drawn.period}. ${peakOf(drawn[chart])}` : '';
  return (
    <PeriodFrame
      period={period}
      range={range}
      onRange={onRange}
      hint={drawn ? hintOf(drawn.sums) : 'Days begin and end in UTC.'}
      actions={
        <SaveButton
          file={`billing-${period.from}-to-${period.to}.csv`}
          stream={() => api.stream.getBillingGraph({ query: inPeriod(period) }, { accept: 'text/csv' })}
          disabled={!data}
          className="max-sm:w-full"
        >
          Download CSV
        </SaveButton>
      }
      query={figures}
      failed="Couldn't load usage."
      announcement={
        drawn ? `${formatExactMoney(drawn.sums.cost)} overage, ${plural(drawn.sums.redemptions, 'redemption')}` : ''
      }
    >
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <ChartPanel
          title="Overage cost"
          kind="line"
          data={drawn?.cost}
          figure={drawn && formatExactMoney(drawn.sums.cost)}
          hint={drawn?.pace}
          label={label('Overage cost', 'cost')}
          empty={drawn?.sums.total === 0 ? 'Nothing was charged in this period.' : undefined}
        />
        <ChartPanel
          title="Redemptions"
          kind="columns"
          data={drawn?.redemptions}
          figure={drawn && formatCount(drawn.sums.redemptions)}
          hint={drawn?.pace}
          label={label('Redemptions', 'redemptions')}
          empty={
            drawn && drawn.sums.redemptions + drawn.sums.refreshes === 0
              ? 'Nothing was redeemed in this period.'
              : undefined
          }
        />
      </div>
    </PeriodFrame>
  );
}

const hintOf = ({ total, refreshCost }: { total: number; refreshCost: number }) =>
  `Overage and refreshes: ${formatExactMoney(total)}, ${formatExactMoney(refreshCost)} of it for refreshes. Subscription fees belong to whole months.`;
