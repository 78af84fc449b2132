import type { Customers, DownloadProofs } from '#features/customers';
import { noteQuota, takeRedemption } from '#features/plans';
import { priceAt } from '#features/products';
import {
  type LowSerialsEvent,
  noteLowStock,
  noteResellerLowStock,
  type OnLowStock,
  takeSerial,
} from '#features/serials';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Publisher } from '#platform/events.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { shareOf, toDollars } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import type { Language } from '#platform/text/languages.ts';
import { monthOf } from '#platform/time/months.ts';
import { record } from '../ledger/ledger.ts';
import type { RedemptionEvent } from './redeem.schemas.ts';
import type { SaleEvent } from './sale-event.ts';

export interface RedeemSerialInput {
  serialId: string;
  developerId: string;
  email: string;
  firstName?: string | null;
  lastName?: string | null;
  source: 'redeem' | 'activation';
  country: string | null;
  /** The language of the page that redeemed; a plugin has none. */
  language?: Language | null;
}

export type RedeemSerialOutcome =
  | { outcome: 'redeemed'; customerId: string }
  | { outcome: 'already_redeemed' }
  | { outcome: 'quota_blocked' };

/** Port: emails about a redemption, queued in its transaction. */
export interface RedemptionEmails {
  redeemed(
    sql: Sql,
    fact: {
      developerId: string;
      customerId: string;
      productId: string;
      product: string;
      code: string;
      /** Opens the serial’s downloads. */
      proof: string;
      email: string;
      priceCents: number;
      resale: { partnershipId: string; commissionCents: number } | null;
    },
  ): Promise<void>;
  lowStock: OnLowStock;
}

interface Dependencies {
  clock: Clock;
  random: Random;
  customers: Customers;
  proofs: DownloadProofs;
  events: Publisher<RedemptionEvent | SaleEvent | LowSerialsEvent>;
  emails: RedemptionEmails;
  jobs: Jobs;
}

/**
 * Makes an available serial a customer's, in the caller's transaction: writes the serial, one unit of the month's usage
 * and one ledger row, or nothing at all. Of concurrent calls exactly one wins, because the serial's row decides.
 * On `quota_blocked` the caller must roll back: this transaction has already taken the serial.
 */
export async function redeemSerial(
  deps: Dependencies,
  sql: Sql,
  input: RedeemSerialInput,
): Promise<RedeemSerialOutcome> {
  const now = deps.clock.now();
  const person = {
    email: input.email,
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    language: input.language ?? null,
  };
  const customerId = await deps.customers.ensure(sql, input.developerId, person);
  const terms = await takeSerial(sql, { developerId: input.developerId, serialId: input.serialId, customerId, now });
  if (!terms) return { outcome: 'already_redeemed' };
  const sold = { developerId: input.developerId, productId: terms.product_id };
  const taken = await takeRedemption(sql, sold, now);
  if (!taken) return { outcome: 'quota_blocked' };
  await noteQuota(deps.jobs, sql, { ...taken, developerId: input.developerId, month: monthOf(now) });
  const price = priceAt(terms);
  const rate = terms.commission_bps ?? 0;
  const commissionCents = shareOf(price, rate);
  const redeemed = {
    serial_id: input.serialId,
    code: terms.code,
    product_id: terms.product_id,
    developer_id: input.developerId,
    partnership_id: terms.partnership_id,
    product_name: terms.product_name,
    source: input.source,
    price: toDollars(price),
    commission: toDollars(commissionCents),
    redeemed_at: now,
  };
  const told = {
    ...redeemed,
    customer_id: customerId,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  };
  const entry = {
    id: deps.random.id(),
    developer_id: input.developerId,
    serial_id: input.serialId,
    code: terms.code,
    product_id: terms.product_id,
    partnership_id: terms.partnership_id,
    customer_id: customerId,
    redeemed_at: now,
    source: input.source,
    final_price_cents: price,
    commission_bps: rate,
    commission_cents: commissionCents,
    usage_cents: taken.cost_cents,
    country: input.country,
  };
  await record(sql, entry, terms.webhook_asks ? told : null);
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
  if (terms.reseller_id) {
    await recordWebhook(sql, terms.reseller_id, {
      type: 'serial.redeemed',
      at: now,
      data: { ...redeemed, customer_id: null },
    });
    await deps.events.publish(sql, terms.reseller_id, {
      type: 'sale',
      data: {
        kind: 'redemption',
        developer_id: input.developerId,
        product_id: terms.product_id,
        product_name: terms.product_name,
        commission_earned: toDollars(commissionCents),
      },
    });
  }
  await deps.emails.redeemed(sql, {
    developerId: input.developerId,
    customerId,
    productId: terms.product_id,
    product: terms.product_name,
    code: terms.code,
    proof: deps.proofs.signEmailed(input.developerId, [input.serialId], { customerId, email: person.email }),
    email: person.email,
    priceCents: price,
    resale: terms.partnership_id ? { partnershipId: terms.partnership_id, commissionCents } : null,
  });
  const onLowStock: OnLowStock = (...low) => deps.emails.lowStock(...low);
  if (terms.was_open) await noteLowStock({ ...deps, onLowStock }, sql, input.developerId, terms.product_id);
  if (terms.was_open && terms.partnership_id !== null && terms.low_stock_threshold !== null) {
    const { partnership_id: partnershipId, product_id: productId } = terms;
    await noteResellerLowStock({ ...deps, onLowStock }, sql, {
      developerId: input.developerId,
      partnershipId,
      productId,
    });
  }
  return { outcome: 'redeemed', customerId };
}
