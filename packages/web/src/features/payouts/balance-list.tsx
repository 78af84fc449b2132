import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { balancesQuery } from '#lib/queries/payouts.ts';
import type { Balance } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { LinkButton } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

const linkClass = 'font-medium text-accent-text underline decoration-accent-line underline-offset-4';

function Name({ row }: { row: Balance }) {
  return (
    <Link to="/dashboard/resellers/$id" params={{ id: row.reseller_id }} className={linkClass}>
      {row.reseller_name}
    </Link>
  );
}

function Since({ row }: { row: Balance }) {
  if (!row.since || !row.oldest_id) return <span className="text-muted">–</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <TimeAgo iso={row.since} />
      <Link to="/dashboard/payouts/$id" params={{ id: row.oldest_id }} className={linkClass}>
        <span className="whitespace-nowrap">{row.oldest_number}</span>
      </Link>
      {row.unpaid > 1 ? <span className="text-sm text-muted">and {row.unpaid - 1} more</span> : null}
      {row.disputed > 0 ? (
        <Badge tone="bad" means={`The reseller disagrees with ${plural(row.disputed, 'statement')}. Answer there.`}>
          Disputed
        </Badge>
      ) : null}
    </span>
  );
}

/** What the reseller owes. Negative when the developer owes the reseller. */
const owed = ({ credit, outstanding }: Balance) => formatMoney(credit > 0 && outstanding === 0 ? -credit : outstanding);

const right = 'text-right';
const columns: Column<Balance>[] = [
  { key: 'name', header: 'Reseller', cell: (row) => <Name row={row} /> },
  {
    key: 'owes',
    header: 'Owes you',
    className: right,
    cell: (row) => <span className="figures font-medium">{owed(row)}</span>,
  },
  { key: 'since', header: 'Since', cell: (row) => <Since row={row} /> },
  {
    key: 'open',
    header: 'Open month',
    className: right,
    cell: (row) => <span className="figures">{formatMoney(row.open_owed)}</span>,
  },
  {
    key: 'rate',
    header: 'Commission',
    className: right,
    cell: (row) => <span className="figures">{row.effective_rate}%</span>,
  },
  {
    key: 'refunds',
    header: 'Refunded',
    className: right,
    cell: (row) => (
      <span className={row.refund_rate >= 10 ? 'figures font-medium text-warn' : 'figures'}>{row.refund_rate}%</span>
    ),
  },
];

/** Who owes what, and since when; who owes most comes first. */
export function BalanceList() {
  const { data, isError, error, refetch, isFetching } = useQuery(balancesQuery());
  if (isError && !data) {
    return (
      <Panel>
        <Failed title="Balances couldn't be loaded" error={error} retry={refetch} retrying={isFetching} />
      </Panel>
    );
  }
  if (data?.rows.length === 0) {
    return (
      <Panel>
        <Empty
          title="No reseller partners found yet."
          action={
            <LinkButton to="/dashboard/resellers" search={{}} variant="primary">
              Open your resellers
            </LinkButton>
          }
        >
          A reseller keeps its commission and owes you the rest of what it sold.
        </Empty>
      </Panel>
    );
  }
  return (
    <>
      <p className="figures mb-4 text-muted" aria-live="polite">
        {data ? (
          <>
            <strong className="font-semibold text-text">{formatMoney(data.total_outstanding)}</strong> outstanding on{' '}
            {plural(data.total_unpaid, 'statement')}. Sales count when the serial is redeemed. A month closes when it is
            over (UTC).
          </>
        ) : null}
      </p>
      <Panel>
        <DataTable
          caption="Who owes what"
          rows={data?.rows}
          rowKey={(row) => row.reseller_id}
          columns={columns}
          card={(row) => (
            <div className="flex flex-col gap-1.5">
              <span className="flex justify-between gap-3">
                <Name row={row} />
                <span className="figures font-medium">{owed(row)}</span>
              </span>
              <Since row={row} />
              <span className="figures text-sm text-muted">
                {formatMoney(row.open_owed)} in the open month · {row.refund_rate}% refunded
              </span>
            </div>
          )}
        />
      </Panel>
      {data && data.total > data.rows.length ? (
        <p className="mt-3 text-sm text-muted">
          The {formatCount(data.rows.length)} who owe most, of {formatCount(data.total)}.
        </p>
      ) : null}
    </>
  );
}
