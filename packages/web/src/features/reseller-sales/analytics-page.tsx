import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { ChartPanel } from '#charts/chart-panel.tsx';
import type { ChartData } from '#charts/types.ts';
import { saveFile } from '#lib/files/download.ts';
import { figuresCsv } from '#lib/files/figures-csv.ts';
import { formatCount, formatMoney, plural, toCents, toDollars } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { graphQuery, summaryQuery } from '#lib/queries/sales.ts';
import { useAccount } from '#lib/session/session.ts';
import { formatFullDay, formatPeriod, formatShortDay, zoneName } from '#lib/time/period.ts';
import type { SalesDays, SalesSummary } from '#lib/types.ts';
import { IconButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Change, previousWords } from '#ui/figures/change.tsx';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { Select } from '#ui/forms/select.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { CommissionHistory } from './commission-history.tsx';
import { DeveloperShares } from './developer-shares.tsx';
import { type Window, windowName, windows } from './windows.ts';

interface AnalyticsPageProps {
  days: Window;
  onDays: (days: Window) => void;
}

/** A reseller's redemptions and commission over time. */
export function AnalyticsPage({ days, onDays }: AnalyticsPageProps) {
  useTitle('Analytics');
  // the shell shows no screen without an account
  const timeZone = useAccount()?.time_zone ?? 'UTC';
  return (
    <>
      <PageHeader
        title="Analytics Hub"
        actions={
          <Select
            aria-label="Period"
            value={days}
            onChange={(event) => onDays(windows.find((each) => each === Number(event.target.value)) ?? days)}
            className="w-full sm:w-40"
          >
            {windows.map((each) => (
              <option key={each} value={each}>
                {windowName(each)}
              </option>
            ))}
          </Select>
        }
      >
        Days begin and end in {zoneName(timeZone)}.
      </PageHeader>
      <Overview days={days} />
      <div className="mt-4 flex flex-col gap-4">
        <OverTime days={days} />
        <DeveloperShares days={days} />
      </div>
      <CommissionHistory />
    </>
  );
}

function Overview({ days }: { days: Window }) {
  const summary = useQuery(summaryQuery(days));
  const { data } = summary;
  const change = (now: number, before: number | undefined, format: (value: number) => string) => (
    <Change now={now} before={before ?? null} format={format} period={previousWords(data?.previous ?? null)} />
  );
  return (
    <section aria-labelledby="overview" aria-busy={!data && !summary.isError}>
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 id="overview" className="font-semibold">
          Reseller Overview <span className="font-normal text-muted">({windowName(days).toLowerCase()})</span>
        </h2>
        {data ? (
          <IconButton
            label="Save the overview as CSV"
            className="print:hidden"
            onClick={() => saveFile('overview.csv', [figuresCsv(figuresOf(data), data)])}
          >
            <Download aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <Panel className={cn('overflow-hidden transition-opacity', summary.isPlaceholderData && 'opacity-60')}>
        {summary.isError ? (
          <Failed
            title="The overview couldn't be loaded"
            error={summary.error}
            retry={summary.refetch}
            retrying={summary.isFetching}
            className="py-8"
          />
        ) : (
          <FigureCards>
            <FigureCard
              name="Total commission"
              value={data && formatMoney(data.total_commission)}
              change={data && change(data.total_commission, data.previous?.total_commission, formatMoney)}
            >
              {data && data.refunded_commission > 0
                ? `After ${formatMoney(data.refunded_commission)} taken back by refunds`
                : 'Net of refunds'}
            </FigureCard>
            <FigureCard
              name="Total redemptions"
              value={data && formatCount(data.total_redemptions)}
              change={data && change(data.total_redemptions, data.previous?.total_redemptions, redemptions)}
            >
              {data ? formatPeriod({ from: data.startDate, to: data.endDate }) : ''}
            </FigureCard>
            <FigureCard
              name="Top product"
              value={data && (data.top_product ?? '–')}
              change={
                data?.top_product
                  ? change(data.top_product_redemptions, data.previous?.top_product_redemptions, redemptions)
                  : undefined
              }
            >
              {data?.top_product ? plural(data.top_product_redemptions, 'redemption') : 'Nothing redeemed yet'}
            </FigureCard>
            <FigureCard
              name="Top developer"
              value={data && (data.top_developer ?? '–')}
              change={
                data?.top_developer
                  ? change(data.top_developer_redemptions, data.previous?.top_developer_redemptions, redemptions)
                  : undefined
              }
            >
              {data?.top_developer ? plural(data.top_developer_redemptions, 'redemption') : 'Nothing redeemed yet'}
            </FigureCard>
          </FigureCards>
        )}
      </Panel>
    </section>
  );
}

function figuresOf(data: SalesSummary) {
  const { previous } = data;
  const before = (value: number | undefined) => value ?? null;
  const top = (name: string, what: string | null, now: number, then: number | undefined) =>
    what === null ? [] : [{ name: `${name}: ${what}`, now, before: before(then) }];
  return [
    { name: 'Total commission', now: data.total_commission, before: before(previous?.total_commission) },
    { name: 'Total redemptions', now: data.total_redemptions, before: before(previous?.total_redemptions) },
    ...top('Top product', data.top_product, data.top_product_redemptions, previous?.top_product_redemptions),
    ...top('Top developer', data.top_developer, data.top_developer_redemptions, previous?.top_developer_redemptions),
  ];
}

const redemptions = (count: number) => plural(count, 'redemption');

function OverTime({ days }: { days: Window }) {
  const graph = useQuery(graphQuery(days));
  const drawn = useMemo(() => graph.data && drawnOf(graph.data), [graph.data]);
  if (graph.isError) {
    return (
      <Panel>
        <Failed
          title="The chart couldn't be loaded"
          error={graph.error}
          retry={graph.refetch}
          retrying={graph.isFetching}
        />
      </Panel>
    );
  }
  return (
    <ChartPanel
      title="Commission and redemptions"
      kind="lines"
      data={drawn?.data}
      figure={drawn && formatMoney(drawn.commission)}
      hint={drawn ? `${plural(drawn.redemptions, 'redemption')}, the dashed line` : undefined}
      label={
        drawn
          ? `Commission and redemptions by day: ${formatMoney(drawn.commission)} and ${plural(drawn.redemptions, 'redemption')} in all.`
          : ''
      }
      className={cn('transition-opacity', graph.isPlaceholderData && 'opacity-60')}
    />
  );
}

function drawnOf(days: SalesDays) {
  const data: ChartData = {
    axis: 'Day',
    columns: [
      { name: 'Commission', format: formatMoney },
      { name: 'Redemptions', format: formatCount, whole: true },
    ],
    points: days.map((day) => ({
      label: formatShortDay(day.date),
      title: formatFullDay(day.date),
      values: [day.commission_earned, day.redemptions],
    })),
  };
  return {
    data,
    commission: toDollars(days.reduce((sum, day) => sum + toCents(day.commission_earned), 0)),
    redemptions: days.reduce((sum, day) => sum + day.redemptions, 0),
  };
}
