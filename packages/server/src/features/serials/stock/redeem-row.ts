import { sql } from 'kysely';
import type { Prices } from '#features/products';
import { patternsFor } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { isRedeemable } from '../rules/availability-rules.ts';
import { B, OPEN, P, U, UNUSED } from '../rules/rows.ts';
import { tables } from '../tables.ts';

/** The terms of a redeemed serial. */
export interface Terms
  extends Prices,
    Columns<'serials', 'code'>,
    Columns<'batches', 'product_id' | 'partnership_id'>,
    Columns<'partnerships', 'reseller_id' | 'low_stock_threshold'> {
  product_name: string;
  /** Null: without a partnership. */
  commission_bps: number | null;
  /** Whether it was in stock until then: what was handed out or sold by a shop had left it before. */
  was_open: boolean;
  /** Whether a webhook of the developer asks for redemptions. */
  webhook_asks: boolean;
}

// The product's and the developer's rows are locked, so that neither can be deleted between the rules and the ledger;
// and before the serial's, as in its deletion, so that neither waits for the other.
const take = tables.named(
  'take_serial',
  (_, developerId: string, serialId: string, customerId: string, now: Date) => sql<Terms>`
    with terms as materialized (
      select b.id as batch_id, p.name as product_name, b.product_id, b.partnership_id, t.reseller_id, t.commission_bps,
        t.low_stock_threshold, ${OPEN} as was_open, b.promo_price_cents, p.sale_price_cents, p.price_cents,
        exists (select 1 from webhook_endpoints e
          where e.developer_id = ${developerId} and e.events && ${patternsFor('serial.redeemed')}::text[]) as webhook_asks
      from serials s ${ownJoin('batches as b', 'b.id', 's.batch_id')}
        ${ownJoin('products as p', 'p.id', 'b.product_id')}
        join users u on u.id = s.developer_id ${ownLeftJoin('partnerships as t', 't.id', 'b.partnership_id')}
      where s.developer_id = ${developerId} and s.id = ${serialId}
        and ${isRedeemable({ batch: B, product: P, developer: U }, sql`${now}`)}
      for key share of p, u
    )
    update serials s set customer_id = ${customerId}, redeemed_at = ${now} from terms
    where s.developer_id = ${developerId} and s.id = ${serialId} and s.batch_id = terms.batch_id and ${UNUSED}
    returning s.code, s.paid_cents, terms.*`,
);

/**
 * Makes an unused serial a customer's. Of concurrent calls exactly one wins, because the serial's row decides.
 * @returns undefined when it can't be redeemed, or no longer.
 */
export async function takeSerial(
  handle: Sql,
  order: { developerId: string; serialId: string; customerId: string; now: Date },
): Promise<Terms | undefined> {
  const [terms] = await take(handle, order.developerId, order.serialId, order.customerId, order.now);
  return terms;
}
