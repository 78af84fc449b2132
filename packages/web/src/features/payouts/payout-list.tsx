import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatMoney, formatUtcMonth, plural } from '#lib/format/format.ts';
import { type PayoutSide, payoutsQuery } from '#lib/queries/payouts.ts';
import type { PayoutStatus, PayoutSummary } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/forms/select.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { PayoutStatusBadge, statusWords } from './payout-status.tsx';
import { YearArchive } from './year-archive.tsx';

interface PayoutListProps {
  side: PayoutSide;
  status: PayoutStatus | undefined;
  onStatus: (status: PayoutStatus | undefined) => void;
}

/** The monthly statements of either side. */
export function PayoutList({ side, status, onStatus }: PayoutListProps) {
  const list = useInfiniteQuery(payoutsQuery(side, status));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-sm text-muted">
          Sales count when the serial is redeemed. Months are UTC.
          {side === 'reseller' ? ' You keep your commission and owe the rest.' : null}
        </p>
        <span className="flex flex-wrap gap-2">
          {rows?.[0] ? <YearArchive side={side} year={Number(rows[0].month.slice(0, 4))} /> : null}
          <Select
            aria-label="Status"
            className="w-44"
            value={status ?? ''}
            onChange={(event) => onStatus((event.target.value || undefined) as PayoutStatus | undefined)}
          >
            <option value="">All statements</option>
            {Object.entries(statusWords).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        </span>
      </div>
      <Panel>
        {list.isError && !rows ? (
          <Failed
            title="Payouts couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : rows?.length === 0 ? (
          status ? (
            <Empty
              title="No payout records found."
              action={<Button onClick={() => onStatus(undefined)}>Show all statements</Button>}
            >
              No statement has this status.
            </Empty>
          ) : (
            <Empty title="No payout records found.">
              A statement appears on the first of each month for the month before, if serials were redeemed in it.
            </Empty>
          )
        ) : (
          <DataTable
            caption="Payouts"
            rows={rows}
            rowKey={(row) => row.id}
            stale={list.isPlaceholderData}
            columns={columnsOf(side)}
            card={(row) => <PayoutCard side={side} payout={row} />}
          />
        )}
      </Panel>
      {rows?.length ? (
        <p className="mt-4 flex flex-col items-center gap-2 text-center text-sm text-muted">
          <span className="figures">{plural(list.data?.pages[0]?.total ?? rows.length, 'statement')}</span>
          <ShowMore list={list} words="Show more statements" size="md" />
        </p>
      ) : null}
    </>
  );
}

const linkClass = 'font-medium whitespace-nowrap text-accent-text underline decoration-accent-line underline-offset-4';

function PayoutLink({ side, payout }: { side: PayoutSide; payout: PayoutSummary }) {
  return side === 'reseller' ? (
    <Link to="/reseller/payouts/$id" params={{ id: payout.id }} className={linkClass}>
      {payout.number}
    </Link>
  ) : (
    <Link to="/dashboard/payouts/$id" params={{ id: payout.id }} className={linkClass}>
      {payout.number}
    </Link>
  );
}

const otherOf = (side: PayoutSide, payout: PayoutSummary) =>
  side === 'reseller' ? payout.developer_name : payout.reseller_name;

function columnsOf(side: PayoutSide) {
  const right = 'text-right';
  return [
    { key: 'number', header: 'Statement', cell: (row: PayoutSummary) => <PayoutLink side={side} payout={row} /> },
    { key: 'month', header: 'Month', cell: (row: PayoutSummary) => formatUtcMonth(row.period_start) },
    {
      key: 'other',
      header: side === 'reseller' ? 'Developer' : 'Reseller',
      cell: (row: PayoutSummary) => <span className="wrap-anywhere">{otherOf(side, row)}</span>,
    },
    {
      key: 'redemptions',
      header: 'Redemptions',
      className: right,
      cell: (row: PayoutSummary) => <span className="figures">{formatCount(row.total_redemptions)}</span>,
    },
    {
      key: 'earned',
      header: side === 'reseller' ? 'You earned' : 'Commission',
      className: right,
      cell: (row: PayoutSummary) => <span className="figures">{formatMoney(row.reseller_earned)}</span>,
    },
    {
      key: 'due',
      header: 'Due',
      className: right,
      cell: (row: PayoutSummary) => <span className="figures">{formatMoney(row.due)}</span>,
    },
    { key: 'status', header: 'Status', cell: (row: PayoutSummary) => <PayoutStatusBadge payout={row} /> },
  ];
}

function PayoutCard({ side, payout }: { side: PayoutSide; payout: PayoutSummary }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <PayoutLink side={side} payout={payout} />
        <PayoutStatusBadge payout={payout} />
      </span>
      <span className="wrap-anywhere">
        {formatUtcMonth(payout.period_start)} · {otherOf(side, payout)}
      </span>
      <span className="figures text-sm text-muted">
        {plural(payout.total_redemptions, 'redemption')} · {formatMoney(payout.due)} due
      </span>
    </div>
  );
}
