import { formatCount, formatMoney } from '#lib/format/format.ts';
import { type Column, DataTable } from '../lists/table.tsx';
import { Panel } from '../page.tsx';
import { Empty } from '../states.tsx';

interface Line {
  n: number;
  description: string;
  quantity: number;
  /** Dollars. */
  amount: number;
  /** The price of each one, in dollars. Null: several prices. Undefined: none, as for a sum. */
  price?: number | null;
}

const right = 'text-right';

function priceWords({ price }: Line): string {
  if (price === undefined) return '';
  return price === null ? 'Several prices' : formatMoney(price);
}

const columns: Column<Line>[] = [
  {
    key: 'what',
    header: 'Item',
    cell: (line) => <span className={line.n === 0 ? 'font-semibold' : ''}>{line.description}</span>,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    className: right,
    cell: (line) => (line.n === 0 ? null : <span className="figures">{formatCount(line.quantity)}</span>),
  },
  {
    key: 'price',
    header: 'Unit price',
    className: right,
    cell: (line) => <span className="figures text-muted">{priceWords(line)}</span>,
  },
  {
    key: 'amount',
    header: 'Amount',
    className: right,
    cell: (line) => (
      <span className={`figures ${line.n === 0 ? 'font-semibold' : ''}`}>{formatMoney(line.amount)}</span>
    ),
  },
];

/** The lines of an invoice and their sum. */
export function InvoiceLines({ lines, total }: { lines: readonly Line[]; total: number }) {
  const rows = [...lines, { n: 0, description: 'Total (USD)', quantity: 0, amount: total }];
  return (
    <Panel className="overflow-hidden">
      {lines.length === 0 ? (
        <Empty title="Nothing was charged" className="py-10">
          The month was free of charge.
        </Empty>
      ) : (
        <DataTable
          caption="Charges"
          columns={columns}
          rows={rows}
          rowKey={(line) => String(line.n)}
          card={(line) => (
            <div className="flex justify-between gap-4">
              <span className="min-w-0">
                <span className={line.n === 0 ? 'font-semibold' : ''}>{line.description}</span>
                {line.quantity > 1 ? (
                  <span className="figures block text-sm text-muted">
                    {formatCount(line.quantity)}
                    {` × ${priceWords(line)}`}
                  </span>
                ) : null}
              </span>
              <span className={`figures ${line.n === 0 ? 'font-semibold' : ''}`}>{formatMoney(line.amount)}</span>
            </div>
          )}
        />
      )}
    </Panel>
  );
}
