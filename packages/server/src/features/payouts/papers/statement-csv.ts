import pg from 'pg';
import { csvLine } from '#platform/csv/write.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { plainDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { boundsOf } from '#platform/time/months.ts';
import { adjustedIn, soldIn } from '../payout-rows.ts';
import type { SealedPayout } from '../statements/payouts.queries.ts';

const COLUMNS = [
  'Statement',
  'Month',
  'Redeemed At',
  'Kind',
  'ID',
  'Refers To',
  'Product',
  'Batch Tag',
  'Code',
  'Price',
  'Rate',
  'Commission',
  'Reason',
  'Redemptions',
  'Adjustments',
  'Adjusted Price',
  'Adjusted Commission',
  'Brought Forward',
  'Due',
  'Developer ID',
  'Reseller ID',
  'Previous Digest',
  'Digest',
];

const text = (value: string) => pg.escapeLiteral(value);
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** A plain number, also when negative. */
const dollars = (column: string) => `round(${column} * 0.01, 2)`;
const cell = (column: string) => innerBreaks(csvSafe(column));

/** Only on the closing line. */
const NOTHING = 'null, null, null, null, null, null, null, null, null, null';

/**
 * All rows of a statement, and a closing line with its sums and its digest. The file has everything that the digest covers, so
 * that it can be recounted without the server (docs/statements.md). It names no customers.
 */
export function statementCsv(payout: SealedPayout): Export {
  const [from, to] = boundsOf(payout.month).map((moment) => `${text(moment)}::timestamptz`) as [string, string];
  const [developer, partnership] = [text(payout.developer_id), text(payout.partnership_id)];
  const own = `${text(payout.number)}, ${text(payout.month.slice(0, 7))}`;
  const named = (row: string) => cell(`(${text(JSON.stringify(payout.products))}::jsonb ->> ${row}.product_id::text)`);
  const ofSerial = `${cell('b.batch_tag')}, ${csvSafe('right(s.code, 4)')}`;
  const joined = `join serials s on s.developer_id = ${developer} and s.id = r.serial_id join batches b on b.developer_id = ${developer} and b.id = s.batch_id`;
  const sales = `
    select r.redeemed_at as at, r.id as id, array[${own}, ${iso('r.redeemed_at')}, 'sale', r.id::text, null, ${named('r')}, ${ofSerial},
      ${dollars('r.final_price_cents')}::text, trim_scale(r.commission_bps * 0.01)::text, ${dollars('r.commission_cents')}::text, null] as cells
    from redemptions r ${joined}
    where r.developer_id = ${developer} and r.partnership_id = ${partnership} and ${soldIn('r', from, to)}`;
  const adjustments = `
    select a.created_at, a.id, array[${own}, ${iso('a.created_at')}, a.kind, a.id::text, a.redemption_id::text, ${named('a')}, ${ofSerial},
      ${dollars('a.revenue_cents')}::text, trim_scale(r.commission_bps * 0.01)::text, ${dollars('a.commission_cents')}::text, ${cell('a.reason')}]
    from ledger_adjustments a join redemptions r on r.developer_id = ${developer} and r.id = a.redemption_id ${joined}
    where a.developer_id = ${developer} and a.partnership_id = ${partnership} and ${adjustedIn('a', from, to)}`;
  const cells = Array.from({ length: 13 }, (_, at) => `x.cells[${at + 1}]`).join(', ');
  return {
    format: 'csv',
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    query: `select * from (select ${cells}, ${NOTHING} from (${sales} union all ${adjustments}) x order by x.at, x.id) every_row
      union all select ${closingCells(payout).join(', ')}`,
  };
}

function closingCells(payout: SealedPayout): string[] {
  const amount = (cents: number) => text(plainDollars(cents));
  return [
    text(payout.number),
    text(payout.month.slice(0, 7)),
    text(payout.closed_at.toISOString()),
    `'total'`,
    text(payout.id),
    'null',
    'null',
    'null',
    'null',
    amount(payout.total_revenue_cents),
    'null',
    amount(payout.reseller_earned_cents),
    'null',
    text(String(payout.total_redemptions)),
    text(String(payout.adjustments)),
    amount(payout.adjustment_revenue_cents),
    amount(payout.adjustment_commission_cents),
    amount(payout.brought_forward_cents),
    amount(payout.due_cents),
    text(payout.developer_id),
    text(payout.partnership_id),
    payout.previous_digest ? text(payout.previous_digest) : 'null',
    text(payout.digest),
  ];
}
