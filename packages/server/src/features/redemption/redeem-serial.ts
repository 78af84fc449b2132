import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Publisher } from '../../platform/events.ts';
import { shareOf, toDollars } from '../../platform/money.ts';
import type { Random } from '../../platform/random.ts';
import type { Customers } from '../customers/index.ts';
import { takeRedemption } from '../plans/index.ts';
import { type Prices, priceAt } from '../products/index.ts';
import { type LowSerialsEvent, noteLowStock, type OnLowStock, OPEN, redeemable } from '../serials/index.ts';
import { record } from './ledger.ts';
import type { RedemptionEvent } from './redemption.schemas.ts';

export interface RedeemSerialInput {
  serialId: string;
  developerId: string;
  email: string;
  firstName?: string | null;
  lastName?: string | null;
  source: 'redeem' | 'activation';
  country: string | null;
}

export type RedeemSerialOutcome =
  | { outcome: 'redeemed'; customerId: string }
  | { outcome: 'already_redeemed' }
  | { outcome: 'quota_blocked' };

/** Port: letters about a redemption, queued in its transaction. */
export interface RedemptionLetters {
  redeemed(
    sql: Sql,
    fact: { developerId: string; customerId: string; product: string; code: string; email: string; priceCents: number },
  ): Promise<void>;
  lowStock: OnLowStock;
}

interface Dependencies {
  clock: Clock;
  random: Random;
  customers: Customers;
  events: Publisher<RedemptionEvent | LowSerialsEvent>;
  letters: RedemptionLetters;
}

interface Terms extends Prices {
  code: string;
  product_name: string;
  product_id: string;
  partnership_id: string | null;
  commission_bps: number | null;
}

/**
 * Makes an available serial a customer's, in the caller's transaction: the serial, one unit of the month's usage and
 * one ledger row, or nothing at all. Of many at once exactly one wins, because the serial's row decides.
 * On `quota_blocked` the caller must roll back: the serial was already taken in this transaction.
 */
export async function redeemSerial(
  deps: Dependencies,
  sql: Sql,
  input: RedeemSerialInput,
): Promise<RedeemSerialOutcome> {
  const now = deps.clock.now();
  const person = { email: input.email, firstName: input.firstName ?? null, lastName: input.lastName ?? null };
  const customerId = await deps.customers.ensure(sql, input.developerId, person);
  const [terms] = await sql.query<Terms>(TAKE, [input.serialId, input.developerId, customerId, now]);
  if (!terms) return { outcome: 'already_redeemed' };
  if (!(await takeRedemption(sql, input.developerId, now))) return { outcome: 'quota_blocked' };
  const price = priceAt(terms);
  const rate = terms.commission_bps ?? 0;
  await record(sql, {
    id: deps.random.id(),
    developerId: input.developerId,
    serialId: input.serialId,
    productId: terms.product_id,
    partnershipId: terms.partnership_id,
    customerId,
    redeemedAt: now,
    source: input.source,
    finalPriceCents: price,
    commissionBps: rate,
    commissionCents: shareOf(price, rate),
    country: input.country,
  });
  await deps.events.publish(sql, input.developerId, {
    type: 'redemption',
    data: {
      serial_id: input.serialId,
      serial: terms.code,
      product_id: terms.product_id,
      product_name: terms.product_name,
      email: input.email,
      first_name: person.firstName,
      last_name: person.lastName,
      total: toDollars(price),
      redeemed_at: now,
    },
  });
  await deps.letters.redeemed(sql, {
    developerId: input.developerId,
    customerId,
    product: terms.product_name,
    code: terms.code,
    email: person.email,
    priceCents: price,
  });
  const onLowStock: OnLowStock = (...low) => deps.letters.lowStock(...low);
  await noteLowStock({ ...deps, onLowStock }, sql, input.developerId, terms.product_id);
  return { outcome: 'redeemed', customerId };
}

// the product's and the developer's rows are held, so that neither can be deleted between the rules and the ledger, and before the serial's, as
// in its deletion, so that neither waits for the other
const TAKE = `
  with terms as materialized (
    select b.id as batch_id, p.name as product_name, b.product_id, b.partnership_id, t.commission_bps, b.promo_price_cents,
      p.sale_price_cents, p.price_cents
    from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      join users u on u.id = s.developer_id left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)
    where s.id = $1 and s.developer_id = $2 and ${redeemable('$4')}
    for key share of p, u
  )
  update serials s set customer_id = $3, redeemed_at = $4 from terms
  where s.id = $1 and s.developer_id = $2 and s.batch_id = terms.batch_id and ${OPEN}
  returning s.code, terms.*`;
