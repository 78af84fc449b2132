import { type RawBuilder, sql } from 'kysely';
import { csvLine } from '#platform/csv/write.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import { plainCentsSql, plainDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { boundsOf, shortMonth } from '#platform/time/months.ts';
import { adjustedIn, soldIn } from '../payout-rows.ts';
import { isoSql } from '../seal/seal-sql.ts';
import type { SealedPayout } from '../statements/payouts.queries.ts';
import { tables } from '../tables.ts';

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

const dollars = (column: string) => sql.raw(`(${plainCentsSql(column)})::text`);
const cell = (value: RawBuilder<unknown>) => withValue<string>((text) => innerBreaks(csvSafe(text)), value);

/** Only on the closing line. */
const NOTHING = sql`null, null, null, null, null, null, null, null, null, null`;

/**
 * All rows of a statement, and a closing line with its sums and its digest. The file has everything that the digest covers, so
 * that it can be recounted without the server (docs/statements.md). It names no customers.
 */
export function statementCsv(payout: SealedPayout): Export {
  const bounds = boundsOf(payout.month);
  const { developer_id: developerId, partnership_id: partnershipId } = payout;
  const own = sql`${payout.number}, ${shortMonth(payout.month)}`;
  const named = (productId: RawBuilder<unknown>) =>
    cell(sql`(${JSON.stringify(payout.products)}::jsonb ->> ${productId}::text)`);
  const ofSerial = sql`${cell(sql`b.batch_tag`)}, ${sql.raw(csvSafe('right(s.code, 4)'))}`;
  const joined = sql`join serials s on s.developer_id = ${developerId} and s.id = r.serial_id
    join batches b on b.developer_id = ${developerId} and b.id = s.batch_id`;
  const rate = sql`trim_scale(r.commission_bps * 0.01)::text`;
  const sales = sql`
    select r.redeemed_at as at, r.id as id, array[${own}, ${isoSql(sql`r.redeemed_at`)}, 'sale', r.id::text, null, ${named(sql`r.product_id`)}, ${ofSerial},
      ${dollars('r.final_price_cents')}, ${rate}, ${dollars('r.commission_cents')}, null] as cells
    from redemptions r ${joined}
    where r.developer_id = ${developerId} and r.partnership_id = ${partnershipId} and ${soldIn('r', bounds)}`;
  const adjustments = sql`
    select a.created_at, a.id, array[${own}, ${isoSql(sql`a.created_at`)}, a.kind, a.id::text, a.redemption_id::text, ${named(sql`a.product_id`)}, ${ofSerial},
      ${dollars('a.revenue_cents')}, ${rate}, ${dollars('a.commission_cents')}, ${cell(sql`a.reason`)}]
    from ledger_adjustments a join redemptions r on r.developer_id = ${developerId} and r.id = a.redemption_id ${joined}
    where a.developer_id = ${developerId} and a.partnership_id = ${partnershipId} and ${adjustedIn('a', bounds)}`;
  const cells = Array.from({ length: 13 }, (_, at) => sql.raw(`x.cells[${at + 1}]`));
  return {
    format: 'csv',
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    feature: tables.feature,
    query: tables.text(sql`
      select * from (
        select ${sql.join(cells)}, ${NOTHING} from (${sales} union all ${adjustments}) x order by x.at, x.id) every_row
      union all select ${sql.join(closingCells(payout))}`),
  };
}

function closingCells(payout: SealedPayout) {
  const amount = (cents: number) => sql`${plainDollars(cents)}`;
  return [
    sql`${payout.number}`,
    sql`${shortMonth(payout.month)}`,
    sql`${payout.closed_at.toISOString()}`,
    sql`'total'`,
    sql`${payout.id}`,
    sql`null`,
    sql`null`,
    sql`null`,
    sql`null`,
    amount(payout.total_revenue_cents),
    sql`null`,
    amount(payout.reseller_earned_cents),
    sql`null`,
    sql`${String(payout.total_redemptions)}`,
    sql`${String(payout.adjustments)}`,
    amount(payout.adjustment_revenue_cents),
    amount(payout.adjustment_commission_cents),
    amount(payout.brought_forward_cents),
    amount(payout.due_cents),
    sql`${payout.developer_id}`,
    sql`${payout.partnership_id}`,
    payout.previous_digest ? sql`${payout.previous_digest}` : sql`null`,
    sql`${payout.digest}`,
  ];
}
