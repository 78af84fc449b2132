import { priceAt } from '#features/products';
import type { Terms } from '#features/serials';
import type { EventData } from '#features/webhooks';
import { type Cents, shareOf, toDollars } from '#platform/money.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { RedemptionEvent } from './redeem.schemas.ts';
import type { SaleEvent } from './sale-event.ts';

/** A serial that a customer has just redeemed. Its ledger entry, webhooks, events and emails are made from this. */
export interface Sale {
  serialId: string;
  developerId: string;
  customer: { id: string; email: string; firstName: string | null; lastName: string | null };
  terms: Terms;
  source: 'redeem' | 'activation';
  country: string | null;
  at: Date;
  priceCents: Cents;
  commissionBps: number;
  commissionCents: Cents;
  /** The overage price of the developer's plan; 0 within the quota. */
  usageCents: Cents;
}

/** A sale as the emails about it get it. */
export interface EmailedSale {
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
}

/** Adds the amounts, which follow from the terms. */
export function saleOf(facts: Omit<Sale, 'priceCents' | 'commissionBps' | 'commissionCents'>): Sale {
  const priceCents = priceAt(facts.terms);
  const commissionBps = facts.terms.commission_bps ?? 0;
  return { ...facts, priceCents, commissionBps, commissionCents: shareOf(priceCents, commissionBps) };
}

/** The sale in the ledger. */
export function entryOf(sale: Sale, id: string): LedgerEntry & { redeemed_at: Date } {
  const { terms } = sale;
  return {
    id,
    developer_id: sale.developerId,
    serial_id: sale.serialId,
    code: terms.code,
    product_id: terms.product_id,
    partnership_id: terms.partnership_id,
    customer_id: sale.customer.id,
    redeemed_at: sale.at,
    source: sale.source,
    final_price_cents: sale.priceCents,
    commission_bps: sale.commissionBps,
    commission_cents: sale.commissionCents,
    usage_cents: sale.usageCents,
    country: sale.country,
  };
}

/** The sale for webhooks of its developer. */
export function webhookOf(sale: Sale): EventData<'serial.redeemed'> {
  const { id, email, firstName, lastName } = sale.customer;
  return { ...resellerWebhookOf(sale), customer_id: id, email, first_name: firstName, last_name: lastName };
}

/** The sale for webhooks of its reseller, without the customer. */
export function resellerWebhookOf(sale: Sale): EventData<'serial.redeemed'> {
  const { terms } = sale;
  return {
    serial_id: sale.serialId,
    code: terms.code,
    product_id: terms.product_id,
    developer_id: sale.developerId,
    partnership_id: terms.partnership_id,
    product_name: terms.product_name,
    source: sale.source,
    price: toDollars(sale.priceCents),
    commission: toDollars(sale.commissionCents),
    redeemed_at: sale.at,
    customer_id: null,
  };
}

/** The live event for its developer. */
export function eventOf({ serialId, customer, terms, at, priceCents }: Sale): RedemptionEvent {
  return {
    type: 'redemption',
    data: {
      serial_id: serialId,
      serial: terms.code,
      product_id: terms.product_id,
      product_name: terms.product_name,
      email: customer.email,
      first_name: customer.firstName,
      last_name: customer.lastName,
      total: toDollars(priceCents),
      redeemed_at: at,
    },
  };
}

/** The live event for its reseller. */
export function resellerEventOf({ developerId, terms, commissionCents }: Sale): SaleEvent {
  return {
    type: 'sale',
    data: {
      kind: 'redemption',
      developer_id: developerId,
      product_id: terms.product_id,
      product_name: terms.product_name,
      commission_earned: toDollars(commissionCents),
    },
  };
}

/** The sale for emails, with the proof that opens its downloads. */
export function emailOf(
  { developerId, customer, terms, priceCents, commissionCents }: Sale,
  proof: string,
): EmailedSale {
  return {
    developerId,
    customerId: customer.id,
    productId: terms.product_id,
    product: terms.product_name,
    code: terms.code,
    proof,
    email: customer.email,
    priceCents,
    resale: terms.partnership_id ? { partnershipId: terms.partnership_id, commissionCents } : null,
  };
}
