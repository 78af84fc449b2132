import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { toDollars } from '#platform/money.ts';
import { boundsOf } from '#platform/time/months.ts';
import { adjustedIn, soldIn } from '../payout-rows.ts';
import type { PayoutTransaction } from '../payouts.schemas.ts';
import { tables } from '../tables.ts';
import type { PayoutRow } from './payouts.queries.ts';

interface Row
  extends Columns<'redemptions', 'id' | 'product_id' | 'commission_cents' | 'commission_bps'>,
    Columns<'customers', 'first_name' | 'last_name' | 'email'>,
    Columns<'serials', 'code'>,
    Columns<'batches', 'batch_tag' | 'promo_price_cents'>,
    Columns<'ledger_adjustments', 'revenue_cents'> {
  at: Date;
  kind: PayoutTransaction['kind'];
  reason: string | null;
  sale_id: string;
  sold_at: Date;
  sold_in: string | null;
  refunded_cents: number;
  erased: boolean;
}

/** Sales and adjustments of a statement, the earliest first. `after`: moment and id of the last one before. */
export async function listTransactions(
  handle: Sql,
  payout: Pick<PayoutRow, 'developer_id' | 'partnership_id' | 'month' | 'products'>,
  after: string[] | null,
  limit: number,
): Promise<PayoutTransaction[]> {
  const { developer_id: developerId, partnership_id: partnershipId } = payout;
  const bounds = boundsOf(payout.month);
  /** As much of each kind as the page may hold. */
  const page = (select: RawBuilder<unknown>, at: string, id: string) => {
    const place = sql`${sql.ref(at)}, ${sql.ref(id)}`;
    const further = after ? sql`and (${place}) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``;
    return sql`(${select} ${further} order by ${place} limit ${limit})`;
  };
  const sales = sql`
    select r.id, r.redeemed_at as at, 'sale' as kind, r.product_id, r.final_price_cents as revenue_cents, r.commission_cents, null as reason,
      r.id as sale_id
    from redemptions r where r.developer_id = ${developerId} and r.partnership_id = ${partnershipId} and ${soldIn('r', bounds)}`;
  const adjustments = sql`
    select a.id, a.created_at, a.kind, a.product_id, a.revenue_cents, a.commission_cents, a.reason, a.redemption_id
    from ledger_adjustments a where a.developer_id = ${developerId} and a.partnership_id = ${partnershipId} and ${adjustedIn('a', bounds)}`;
  const { rows } = await sql<Row>`
    select x.*, sale.redeemed_at as sold_at, sale.commission_bps, o.number as sold_in, coalesce(back.cents, 0) as refunded_cents,
      c.first_name, c.last_name, c.email, c.erased_at is not null as erased, s.code, b.batch_tag, b.promo_price_cents
    from (${page(sales, 'r.redeemed_at', 'r.id')} union all ${page(adjustments, 'a.created_at', 'a.id')}) x
    join redemptions sale on sale.developer_id = ${developerId} and sale.id = x.sale_id
    join customers c on c.developer_id = ${developerId} and c.id = sale.customer_id
    join serials s on s.developer_id = ${developerId} and s.id = sale.serial_id
    join batches b on b.developer_id = ${developerId} and b.id = s.batch_id
    left join payouts o on o.developer_id = ${developerId} and o.partnership_id = sale.partnership_id and x.kind <> 'sale'
      and o.month = date_trunc('month', sale.redeemed_at at time zone 'UTC')::date
    left join lateral (
      select -sum(a.revenue_cents)::bigint as cents from ledger_adjustments a where a.developer_id = ${developerId} and a.redemption_id = x.id
    ) back on x.kind = 'sale'
    order by x.at, x.id limit ${limit}`.execute(tables.in(handle));
  return rows.map((row) => view(row, payout.products));
}

function view(row: Row, products: Record<string, string>): PayoutTransaction {
  const price = toDollars(row.revenue_cents);
  return {
    id: row.id,
    kind: row.kind,
    redeemed_at: row.at,
    first_name: row.erased ? 'Erased' : row.first_name,
    last_name: row.erased ? null : row.last_name,
    email: row.erased ? null : row.email,
    code: endOf(row.code),
    batch_tag: row.batch_tag,
    product_name: products[row.product_id] ?? '',
    price,
    final_price: price,
    promo_price: toDollars(row.promo_price_cents),
    commission_rate: row.commission_bps / 100,
    commission_earned: toDollars(row.commission_cents),
    refunded: toDollars(row.refunded_cents),
    reason: row.reason,
    refers_to: row.kind === 'sale' ? null : { id: row.sale_id, redeemed_at: row.sold_at, statement: row.sold_in },
  };
}

/** Enough to recognize a code by, too little to use it. */
export const endOf = (code: string) => `…${code.slice(-4)}`;
