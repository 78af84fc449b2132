import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/db/database.ts';
import { shareOf } from '../../platform/money.ts';
import type { Random } from '../../platform/random.ts';
import type { Customers } from '../customers/index.ts';
import { takeRedemption } from '../plans/index.ts';

export interface ClaimInput {
  serialId: string;
  developerId: string;
  email: string;
  firstName?: string | null;
  lastName?: string | null;
  source: 'redeem' | 'activation';
  country: string | null;
}

export type ClaimOutcome =
  | { outcome: 'redeemed'; customerId: string }
  | { outcome: 'already_redeemed' }
  | { outcome: 'quota_blocked' };

interface Dependencies {
  clock: Clock;
  random: Random;
  customers: Customers;
}

interface Terms {
  product_id: string;
  partnership_id: string | null;
  commission_bps: number | null;
  promo_price_cents: number | null;
  sale_price_cents: number | null;
  price_cents: number | null;
}

/**
 * Makes an available serial a customer's, in the caller's transaction: the serial, one unit of the month's usage and
 * one ledger row, or nothing at all. Of many at once exactly one wins, because the serial's row decides.
 * On `quota_blocked` the caller must roll back: the serial was already taken in this transaction.
 */
export async function claim(deps: Dependencies, sql: Sql, input: ClaimInput): Promise<ClaimOutcome> {
  const now = deps.clock.now();
  const person = { email: input.email, firstName: input.firstName ?? null, lastName: input.lastName ?? null };
  const customerId = await deps.customers.ensure(sql, input.developerId, person);
  const [terms] = await sql.query<Terms>(TAKE, [input.serialId, input.developerId, customerId, now]);
  if (!terms) return { outcome: 'already_redeemed' };
  if (!(await takeRedemption(sql, input.developerId, now))) return { outcome: 'quota_blocked' };
  const price = terms.promo_price_cents ?? terms.sale_price_cents ?? terms.price_cents ?? 0;
  const rate = terms.commission_bps ?? 0;
  await sql.query(RECORD, [
    deps.random.id(),
    input.developerId,
    input.serialId,
    terms.product_id,
    terms.partnership_id,
    customerId,
    now,
    input.source,
    price,
    rate,
    shareOf(price, rate),
    input.country,
  ]);
  return { outcome: 'redeemed', customerId };
}

// the product's row is held so that it cannot be deleted between the rules and the ledger
const TAKE = `
  update serials s set customer_id = $3, redeemed_at = $4
  from batches b join products p on p.id = b.product_id left join partnerships t on t.id = b.partnership_id
  where s.id = $1 and s.developer_id = $2 and b.id = s.batch_id and s.redeemed_at is null and s.revoked_at is null
    and p.deleted_at is null and not p.is_draft
    and (b.promo_start is null or b.promo_start <= $4) and (b.expires_at is null or b.expires_at > $4)
  returning b.product_id, b.partnership_id, t.commission_bps, b.promo_price_cents, p.sale_price_cents, p.price_cents`;

const RECORD = `
  insert into redemptions (id, developer_id, serial_id, product_id, partnership_id, customer_id, redeemed_at, source,
    final_price_cents, commission_bps, commission_cents, country)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
