import type { Sql } from '#platform/db/database.ts';
import { toDollars } from '#platform/money.ts';
import { boundsOf } from '#platform/time/months.ts';
import { adjustedIn, soldIn } from '../payout-rows.ts';
import type { PayoutTransaction } from '../payouts.schemas.ts';
import type { PayoutRow } from './payouts.queries.ts';

interface Row {
  id: string;
  at: Date;
  kind: PayoutTransaction['kind'];
  product_id: string;
  revenue_cents: number;
  commission_cents: number;
  commission_bps: number;
  reason: string | null;
  sale_id: string;
  sold_at: Date;
  sold_in: string | null;
  refunded_cents: number;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  erased: boolean;
  code: string;
  batch_tag: string | null;
  promo_price_cents: number | null;
}

const page = (select: string, at: string, id: string) =>
  `(${select} and ($5::timestamptz is null or (${at}, ${id}) > ($5, $6::uuid)) order by ${at}, ${id} limit $7)`;

/** $1 developer, $2 partnership, $3 and $4 the month's bounds, $5 and $6 where the page before ended, $7 how many. */
const TRANSACTIONS = `
  select x.*, sale.redeemed_at as sold_at, sale.commission_bps, o.number as sold_in, coalesce(back.cents, 0) as refunded_cents,
    c.first_name, c.last_name, c.email, c.erased_at is not null as erased, s.code, b.batch_tag, b.promo_price_cents
  from (
    ${page(
      `select r.id, r.redeemed_at as at, 'sale' as kind, r.product_id, r.final_price_cents as revenue_cents, r.commission_cents, null as reason,
         r.id as sale_id
       from redemptions r where r.developer_id = $1 and r.partnership_id = $2 and ${soldIn('r', '$3', '$4')}`,
      'r.redeemed_at',
      'r.id',
    )}
    union all
    ${page(
      `select a.id, a.created_at, a.kind, a.product_id, a.revenue_cents, a.commission_cents, a.reason, a.redemption_id
       from ledger_adjustments a where a.developer_id = $1 and a.partnership_id = $2 and ${adjustedIn('a', '$3', '$4')}`,
      'a.created_at',
      'a.id',
    )}
  ) x
  join redemptions sale on sale.developer_id = $1 and sale.id = x.sale_id
  join customers c on c.developer_id = $1 and c.id = sale.customer_id
  join serials s on s.developer_id = $1 and s.id = sale.serial_id
  join batches b on b.developer_id = $1 and b.id = s.batch_id
  left join payouts o on o.developer_id = $1 and o.partnership_id = sale.partnership_id and x.kind <> 'sale'
    and o.month = date_trunc('month', sale.redeemed_at at time zone 'UTC')::date
  left join lateral (
    select -sum(a.revenue_cents)::bigint as cents from ledger_adjustments a where a.developer_id = $1 and a.redemption_id = x.id
  ) back on x.kind = 'sale'
  order by x.at, x.id limit $7`;

/** Sales and adjustments of a statement, the earliest first. `after`: moment and id of the last one before. */
export async function listTransactions(
  sql: Sql,
  payout: Pick<PayoutRow, 'developer_id' | 'partnership_id' | 'month' | 'products'>,
  after: string[] | null,
  limit: number,
): Promise<PayoutTransaction[]> {
  const rows = await sql.query<Row>(TRANSACTIONS, [
    payout.developer_id,
    payout.partnership_id,
    ...boundsOf(payout.month),
    after?.[0] ?? null,
    after?.[1] ?? null,
    limit,
  ]);
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
