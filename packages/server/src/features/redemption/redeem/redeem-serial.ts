import type { Customers, DownloadProofs } from '#features/customers';
import { noteQuota, takeRedemption } from '#features/plans';
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
import type { Random } from '#platform/random.ts';
import type { Language } from '#platform/text/languages.ts';
import { monthOf } from '#platform/time/months.ts';
import { record } from '../ledger/ledger.ts';
import type { RedemptionEvent } from './redeem.schemas.ts';
import {
  type EmailedSale,
  emailOf,
  entryOf,
  eventOf,
  resellerEventOf,
  resellerWebhookOf,
  type Sale,
  saleOf,
  webhookOf,
} from './sale.ts';
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
  redeemed(sql: Sql, sale: EmailedSale): Promise<void>;
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
  const { developerId, serialId, source, country, email } = input;
  const now = deps.clock.now();
  const person = { email, firstName: input.firstName ?? null, lastName: input.lastName ?? null };
  const language = input.language ?? null;
  const customerId = await deps.customers.ensure(sql, developerId, { ...person, language });
  const terms = await takeSerial(sql, { developerId, serialId, customerId, now });
  if (!terms) return { outcome: 'already_redeemed' };
  const taken = await takeRedemption(sql, { developerId, productId: terms.product_id }, now);
  if (!taken) return { outcome: 'quota_blocked' };
  await noteQuota(deps.jobs, sql, { ...taken, developerId, month: monthOf(now) });
  const customer = { id: customerId, ...person };
  const usageCents = taken.cost_cents;
  const sale = saleOf({ developerId, serialId, customer, terms, source, country, at: now, usageCents });
  await record(sql, entryOf(sale, deps.random.id()), terms.webhook_asks ? webhookOf(sale) : null);
  await deps.events.publish(sql, developerId, eventOf(sale));
  await notifyReseller(deps, sql, sale);
  const proof = deps.proofs.signEmailed(developerId, [serialId], { customerId, email });
  await deps.emails.redeemed(sql, emailOf(sale, proof));
  await noteStock(deps, sql, sale);
  return { outcome: 'redeemed', customerId };
}

/** Notifies the reseller who sold the serial, if there is one with an account. */
async function notifyReseller({ events }: Pick<Dependencies, 'events'>, sql: Sql, sale: Sale): Promise<void> {
  const { reseller_id: resellerId } = sale.terms;
  if (!resellerId) return;
  await recordWebhook(sql, resellerId, { type: 'serial.redeemed', at: sale.at, data: resellerWebhookOf(sale) });
  await events.publish(sql, resellerId, resellerEventOf(sale));
}

/** Reports what runs low by a sale from stock: the product, and what its reseller has left of it. */
async function noteStock(
  deps: Pick<Dependencies, 'clock' | 'events' | 'emails'>,
  sql: Sql,
  { developerId, terms }: Sale,
): Promise<void> {
  if (!terms.was_open) return;
  const { product_id: productId, partnership_id: partnershipId, low_stock_threshold: threshold } = terms;
  const onLowStock: OnLowStock = (...low) => deps.emails.lowStock(...low);
  await noteLowStock({ ...deps, onLowStock }, sql, developerId, productId);
  if (partnershipId === null || threshold === null) return;
  await noteResellerLowStock({ ...deps, onLowStock }, sql, { developerId, partnershipId, productId });
}
