import { Link } from '@tanstack/react-router';
import { listPayoutsStatus } from '@tonerow/sdk/values';
import { formatCount, formatMoney, formatUtcMonth, plural } from '#lib/format/format.ts';
import { oneOf } from '#lib/navigation/search-params.ts';
import type { PayoutSide } from '#lib/queries/payouts.ts';
import type { PayoutStatus, PayoutSummary } from '#lib/types.ts';
import { Choices } from '#ui/lists/narrowed.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { PayoutStatusBadge, statusWords } from './payout-status.tsx';
import { YearArchive } from './year-archive.tsx';

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

function columnsOf(side: PayoutSide): Column<PayoutSummary>[] {
  const right = 'text-right';
  return [
    { key: 'number', header: 'Statement', cell: (row) => <PayoutLink side={side} payout={row} /> },
    { key: 'month', header: 'Month', cell: (row) => formatUtcMonth(row.period_start) },
    {
      key: 'other',
      header: side === 'reseller' ? 'Developer' : 'Reseller',
      cell: (row) => <span className="wrap-anywhere">{otherOf(side, row)}</span>,
    },
    {
      key: 'redemptions',
      header: 'Redemptions',
      className: right,
      cell: (row) => <span className="figures">{formatCount(row.total_redemptions)}</span>,
    },
    {
      key: 'earned',
      header: side === 'reseller' ? 'You earned' : 'Commission',
      className: right,
      cell: (row) => <span className="figures">{formatMoney(row.reseller_earned)}</span>,
    },
    {
      key: 'due',
      header: 'Due',
      className: right,
      cell: (row) => <span className="figures">{formatMoney(row.due)}</span>,
    },
    { key: 'status', header: 'Status', cell: (row) => <PayoutStatusBadge payout={row} /> },
  ];
}

function PayoutCard({ side, row: payout }: { side: PayoutSide; row: PayoutSummary }) {
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

const cards = {
  developer: ({ row }: { row: PayoutSummary }) => <PayoutCard side="developer" row={row} />,
  reseller: ({ row }: { row: PayoutSummary }) => <PayoutCard side="reseller" row={row} />,
};

const logOf = (side: PayoutSide) =>
  defineLog({
    title: 'Payouts',
    one: 'statement',
    operation: side === 'reseller' ? 'listPayouts' : 'listDeveloperPayouts',
    pageSize: 50,
    filters: { status: oneOf(listPayoutsStatus) },
    choices: [{ by: 'status', label: 'Status', all: 'All statements', words: statusWords, className: 'w-44' }],
    columns: columnsOf(side),
    Card: cards[side],
    empty: {
      title: 'No payout records found.',
      none: 'A statement appears on the first of each month for the month before, if serials were redeemed in it.',
      filtered: () => 'No statement has this status.',
      clear: 'Show all statements',
    },
  });
const logs = { developer: logOf('developer'), reseller: logOf('reseller') };

interface PayoutListProps {
  side: PayoutSide;
  status: PayoutStatus | undefined;
  onStatus: (status: PayoutStatus | undefined) => void;
}

/** The monthly statements of either side. */
export function PayoutList({ side, status, onStatus }: PayoutListProps) {
  const log = useLog(logs[side], [{ status }, (changed) => onStatus(changed.status)]);
  const { rows, first, list } = log;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-sm text-muted">
          Sales count when the serial is redeemed. Months are UTC.
          {side === 'reseller' ? ' You keep your commission and owe the rest.' : null}
        </p>
        <span className="flex flex-wrap gap-2">
          {rows?.[0] ? <YearArchive side={side} year={Number(rows[0].month.slice(0, 4))} /> : null}
          <Choices at={log} />
        </span>
      </div>
      <Log log={log} foot={null} />
      {first && rows?.length ? (
        <p className="mt-4 flex flex-col items-center gap-2 text-center text-sm text-muted">
          <span className="figures">{plural(first.total, 'statement')}</span>
          <ShowMore list={list} words="Show more statements" size="md" />
        </p>
      ) : null}
    </>
  );
}
