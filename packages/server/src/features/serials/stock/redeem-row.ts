import type { Prices } from '#features/products';
import { asksFor } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { redeemable, UNUSED } from '../rules/availability-rules.ts';

/** What a serial was taken for. */
export interface Terms extends Prices {
  code: string;
  product_name: string;
  product_id: string;
  partnership_id: string | null;
  /** The account behind the partnership; null for a named reseller. */
  reseller_id: string | null;
  commission_bps: number | null;
  /** That of the reseller; null: nobody is notified. */
  low_stock_threshold: number | null;
  /** Whether a webhook of the developer asks for redemptions. */
  webhook_asks: boolean;
}

/**
 * Makes an unused serial a customer's. Of concurrent calls exactly one wins, because the serial's row decides.
 * @returns undefined when it can't be redeemed, or no longer.
 */
export async function takeSerial(
  sql: Sql,
  order: { developerId: string; serialId: string; customerId: string; now: Date },
): Promise<Terms | undefined> {
  const [terms] = await sql.query<Terms>(TAKE, [order.serialId, order.developerId, order.customerId, order.now]);
  return terms;
}

// The product's and the developer's rows are locked, so that neither can be deleted between the rules and the ledger;
// and before the serial's, as in its deletion, so that neither waits for the other.
const TAKE = `
  with terms as materialized (
    select b.id as batch_id, p.name as product_name, b.product_id, b.partnership_id, t.reseller_id, t.commission_bps,
      t.low_stock_threshold, b.promo_price_cents, p.sale_price_cents, p.price_cents,
      ${asksFor('s.developer_id', 'serial.redeemed')} as webhook_asks
    from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
      join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      join users u on u.id = s.developer_id left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)
    where s.id = $1 and s.developer_id = $2 and ${redeemable('$4')}
    for key share of p, u
  )
  update serials s set customer_id = $3, redeemed_at = $4 from terms
  where s.id = $1 and s.developer_id = $2 and s.batch_id = terms.batch_id and ${UNUSED}
  returning s.code, terms.*`;
