import { type ComponentProps, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import type { PayoutDetail } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty } from '#ui/states.tsx';
import { UtcTime } from '#ui/time-ago.tsx';

type Transaction = PayoutDetail['transactions'][number];

const personOf = ({ first_name, last_name }: Transaction) => [first_name, last_name].filter(Boolean).join(' ') || '–';

const words: Record<Transaction['kind'], string> = {
  sale: 'Sale',
  refund: 'Refund',
  chargeback: 'Chargeback',
  reinstatement: 'Refund taken back',
  correction: 'Correction',
};

const means: Record<Transaction['kind'], string> = {
  sale: 'A customer redeemed the serial.',
  refund: 'The customer got money back, so its commission is taken back too.',
  chargeback: 'The customer’s bank took the money back, so its commission is taken back too.',
  reinstatement: 'A refund is undone: the sale and its commission count again.',
  correction: 'Corrects the amount of an earlier sale.',
};

function Amount({ row, of }: { row: Transaction; of: 'final_price' | 'commission_earned' }) {
  // refunded since, here or in a later month
  return row.kind === 'sale' && row.refunded >= row.final_price && row.refunded > 0 ? (
    <s className="figures text-muted">{formatMoney(row[of])}</s>
  ) : (
    <span className="figures">{formatMoney(row[of])}</span>
  );
}

function What({ row }: { row: Transaction }) {
  if (row.kind === 'sale')
    return row.refunded > 0 ? <span className="text-sm text-muted">{formatMoney(row.refunded)} refunded</span> : null;
  return (
    <span className="flex min-w-36 flex-col gap-0.5 py-2">
      <span>
        <Badge tone="warn" means={means[row.kind]}>
          {words[row.kind]}
        </Badge>
      </span>
      <span className="text-sm text-muted">
        {row.reason}
        {row.refers_to?.statement ? ` · sale in statement ${row.refers_to.statement}` : ''}
      </span>
    </span>
  );
}

const columns: Column<Transaction>[] = [
  { key: 'at', header: 'Redeemed (UTC)', cell: (row) => <UtcTime iso={row.redeemed_at} /> },
  {
    key: 'who',
    header: 'Customer',
    cell: (row) => (
      <span className="flex flex-col">
        <span className="min-w-32 wrap-anywhere">{personOf(row)}</span>
        <span className="text-sm break-all text-muted">{row.email}</span>
      </span>
    ),
  },
  {
    key: 'product',
    header: 'Product',
    cell: (row) => (
      <span className="flex flex-col">
        <span className="min-w-32 wrap-anywhere">{row.product_name}</span>
        <span className="font-mono text-xs text-muted">{row.code}</span>
      </span>
    ),
  },
  { key: 'price', header: 'Price', className: 'text-right', cell: (row) => <Amount row={row} of="final_price" /> },
  {
    key: 'commission',
    header: 'Commission',
    className: 'text-right',
    cell: (row) => <Amount row={row} of="commission_earned" />,
  },
  { key: 'what', header: 'Adjustment', quiet: true, cell: (row) => <What row={row} /> },
];

interface PayoutTransactionsProps {
  transactions: Transaction[];
  list: ComponentProps<typeof ShowMore>['list'];
}

const FIRST = 20;

export function PayoutTransactions({ transactions, list }: PayoutTransactionsProps) {
  const more = list.hasNextPage;
  const [all, setAll] = useState(false);
  useEffect(() => {
    // on paper, a part would pass for the whole
    const show = () => flushSync(() => setAll(true));
    window.addEventListener('beforeprint', show);
    return () => window.removeEventListener('beforeprint', show);
  }, []);
  const shown = all ? transactions : transactions.slice(0, FIRST);
  const hidden = transactions.length - shown.length;
  return (
    <section className="mt-8">
      <h2 className="mb-3 font-semibold">Transactions</h2>
      <Panel>
        {transactions.length === 0 ? (
          <Empty title="No transactions available.">This statement only brings an amount forward.</Empty>
        ) : (
          <DataTable
            caption="Transactions"
            rows={shown}
            rowKey={(row) => row.id}
            columns={columns}
            tall
            card={(row) => (
              <div className="flex flex-col gap-1">
                <span className="flex justify-between gap-3">
                  <span className="font-medium wrap-anywhere">{row.product_name}</span>
                  <Amount row={row} of="final_price" />
                </span>
                <span className="text-sm wrap-anywhere text-muted">
                  {personOf(row)} · {row.email ?? ''}
                </span>
                <span className="figures text-sm text-muted">
                  <UtcTime iso={row.redeemed_at} /> UTC · <Amount row={row} of="commission_earned" /> commission
                </span>
                <What row={row} />
              </div>
            )}
          />
        )}
      </Panel>
      {hidden > 0 ? (
        <p className="mt-4 flex flex-col items-center gap-2 text-sm text-muted print:hidden">
          The first {FIRST} of {formatCount(transactions.length)}
          {more ? ' and more' : ''}
          <Button onClick={() => setAll(true)}>Show {plural(hidden, 'more transaction', 'more transactions')}</Button>
        </p>
      ) : more ? (
        <p className="mt-4 flex flex-col items-center gap-2 text-sm text-muted print:hidden">
          {plural(transactions.length, 'transaction')} shown. The CSV has all of them.
          <ShowMore list={list} words="Show more transactions" size="md" />
        </p>
      ) : null}
    </section>
  );
}
