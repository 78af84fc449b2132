import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { ChartPanel } from '../../charts/chart-panel.tsx';
import { paces, peakOf, stepOf } from '../../charts/over-time.ts';
import { api } from '../../lib/api.ts';
import { formatCount, formatExactMoney, plural } from '../../lib/format.ts';
import { formatPeriod, type Period, periodOf } from '../../lib/period.ts';
import { billingPeriodQuery, inPeriod } from '../../lib/queries/billing.ts';
import { Button } from '../../ui/button.tsx';
import { PeriodFrame } from '../../ui/period-frame.tsx';
import { useSave } from '../../widgets/use-save.ts';
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
  const drawn = useMemo(() => data && seriesOf(data.days), [data]);
  const pace = data && paces[stepOf(data.days.length)];
  const label = (what: string, chart: 'cost' | 'redemptions') =>
    drawn ? `${what} ${pace}, ${formatPeriod(period)}. ${peakOf(drawn[chart])}` : '';
  return (
    <PeriodFrame
      period={period}
      range={range}
      onRange={onRange}
      hint={data ? hintOf(data.summary) : 'Days begin and end in UTC.'}
      actions={<CsvButton period={period} disabled={!data} />}
      query={figures}
      failed="Couldn't load usage."
      heard={
        drawn ? `${formatExactMoney(drawn.sums.cost)} overage, ${plural(drawn.sums.redemptions, 'redemption')}` : ''
      }
    >
      <div className="grid gap-4 lg:grid-cols-2">
        <ChartPanel
          title="Overage cost"
          kind="line"
          data={drawn?.cost}
          figure={drawn && formatExactMoney(drawn.sums.cost)}
          hint={pace}
          label={label('Overage cost', 'cost')}
          empty={data?.summary.total === 0 ? 'Nothing was charged in this period.' : undefined}
        />
        <ChartPanel
          title="Redemptions"
          kind="columns"
          data={drawn?.redemptions}
          figure={drawn && formatCount(drawn.sums.redemptions)}
          hint={pace}
          label={label('Redemptions', 'redemptions')}
          empty={
            data && data.summary.redemptions + data.summary.refresh_count === 0
              ? 'Nothing was redeemed in this period.'
              : undefined
          }
        />
      </div>
    </PeriodFrame>
  );
}

const hintOf = ({ total, refresh_cost }: { total: number; refresh_cost: number }) =>
  `Overage and refreshes: ${formatExactMoney(total)}, ${formatExactMoney(refresh_cost)} of it for refreshes. Subscription fees belong to whole months.`;

function CsvButton({ period, disabled }: { period: Period; disabled: boolean }) {
  const save = useSave(`billing-${period.from}-to-${period.to}.csv`, () =>
    api.stream.getBillingGraph({ query: inPeriod(period) }, { accept: 'text/csv' }),
  );
  return (
    <Button onClick={() => save.mutate()} busy={save.isPending} disabled={disabled} className="max-sm:w-full">
      <Download className="size-4" aria-hidden />
      Download CSV
    </Button>
  );
}
