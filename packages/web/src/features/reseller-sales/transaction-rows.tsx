import type { ReactNode } from 'react';
import { formatMoney } from '#lib/format/format.ts';
import type { Transaction } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { cn } from '#ui/cn.ts';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

export const adjustmentNames: Record<Exclude<Transaction['kind'], 'redemption'>, string> = {
  refund: 'Refund',
  chargeback: 'Chargeback',
  reinstatement: 'Refund taken back',
  correction: 'Correction',
};

const adjustmentMeans: typeof adjustmentNames = {
  refund: 'The customer got money back, so its commission is taken back too.',
  chargeback: 'The customer’s bank took the money back, so its commission is taken back too.',
  reinstatement: 'A refund is undone: the sale and its commission count again.',
  correction: 'Corrects the amount of an earlier sale.',
};

export const transactionColumns: Column<Transaction>[] = [
  {
    key: 'date',
    header: 'Date',
    optional: true,
    bar: '72px',
    cell: (row) => <TimeAgo iso={row.at} className="text-sm text-muted" />,
  },
  {
    key: 'customer',
    header: 'Customer',
    bar: '140px',
    cell: (row) => (
      <Two
        first={nameOf(row)}
        second={row.email ?? 'Erased'}
        title={row.email ?? undefined}
        className="max-w-52 2xl:max-w-96"
      />
    ),
  },
  {
    key: 'product',
    header: 'Product',
    optional: true,
    bar: '120px',
    cell: (row) => <Two first={row.product_name} second={row.developer_name} className="max-w-44 2xl:max-w-96" />,
  },
  {
    key: 'serial',
    header: 'Serial',
    optional: true,
    bar: '170px',
    cell: (row) => (
      <span className="flex flex-col items-start gap-1">
        <code className="font-mono text-sm whitespace-nowrap">{row.code}</code>
        <State row={row} />
      </span>
    ),
  },
  {
    key: 'price',
    header: 'Price',
    optional: true,
    bar: '48px',
    className: 'text-right',
    cell: (row) => <Amount row={row} value={row.final_price} />,
  },
  {
    key: 'commission',
    header: 'Commission',
    optional: true,
    bar: '48px',
    className: 'text-right',
    cell: (row) => (
      <span className="flex flex-col items-end">
        <Amount row={row} value={row.commission_earned} />
        <span className="figures text-xs text-muted">{row.commission_rate}%</span>
      </span>
    ),
  },
];

export function TransactionCard({ row }: { row: Transaction }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <span className="truncate font-medium">{row.product_name}</span>
        <Amount row={row} value={row.final_price} />
      </div>
      <div className="flex items-baseline justify-between gap-3 text-sm text-muted">
        <span className="truncate">{row.developer_name}</span>
        <span className="figures shrink-0">Commission {formatMoney(row.commission_earned)}</span>
      </div>
      <div className="min-w-0">
        <p className="truncate">{nameOf(row)}</p>
        <p className="truncate text-sm text-muted">{row.email ?? 'Erased'}</p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <code className="font-mono text-sm">{row.code}</code>
        <TimeAgo iso={row.at} className="text-sm text-muted" />
      </div>
      <State row={row} />
    </div>
  );
}

/** Marks a special row: a refund with its reason, a sale that was refunded, or an import. */
function State({ row }: { row: Transaction }) {
  if (row.kind !== 'redemption') {
    return (
      <span className="flex max-w-64 items-center gap-1.5">
        <Badge tone={row.kind === 'reinstatement' ? 'good' : 'bad'} means={adjustmentMeans[row.kind]}>
          {adjustmentNames[row.kind]}
        </Badge>
        <span className="truncate text-xs text-muted" title={row.reason ?? undefined}>
          {row.reason}
        </span>
      </span>
    );
  }
  if (row.imported) return <Badge means="Redeemed elsewhere, and imported. It earns nothing here.">Imported</Badge>;
  if (row.refunded > 0)
    return (
      <Badge
        tone="bad"
        className="w-fit"
        means={`${isWhole(row) ? 'All of it' : 'A part of it'} went back to the customer, with its commission. The refund is a row of its own.`}
      >
        {isWhole(row) ? 'Refunded' : `${formatMoney(row.refunded)} refunded`}
      </Badge>
    );
  return null;
}

const isWhole = (row: Transaction) => row.kind === 'redemption' && row.refunded > 0 && row.refunded >= row.final_price;

function Amount({ row, value }: { row: Transaction; value: number }) {
  return (
    <span className={cn('figures', value < 0 && 'text-bad', isWhole(row) && 'text-muted line-through')}>
      {formatMoney(value)}
    </span>
  );
}

const nameOf = (row: Transaction) => [row.first_name, row.last_name].filter(Boolean).join(' ') || '–';

interface TwoProps {
  first: string;
  second: ReactNode;
  title?: string | undefined;
  className: string;
}

function Two({ first, second, title, className }: TwoProps) {
  return (
    <span className={cn('block', className)}>
      <span className="block truncate" title={first}>
        {first}
      </span>
      <span className="block truncate text-sm text-muted" title={title}>
        {second}
      </span>
    </span>
  );
}
