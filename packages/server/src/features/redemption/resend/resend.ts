import { sql } from 'kysely';
import type { DownloadProofs } from '#features/customers';
import { noteSerialEvent } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { joinOwn, leftJoinOwn } from '#platform/db/tenant.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { limits as policies } from '../limits.ts';
import type { EmailedSale } from '../redeem/sale.ts';
import type { RedemptionDb, RedemptionHandle } from '../tables.ts';

/** Port: the customer's email about a redemption, queued again in the caller's transaction. */
export interface ResendEmail {
  resend(sql: Sql, sale: Omit<EmailedSale, 'priceCents' | 'resale'>): Promise<void>;
}

interface Dependencies {
  db: RedemptionDb;
  clock: Clock;
  limits: RateLimits;
  emails: ResendEmail;
  proofs: DownloadProofs;
}

/** Sends a customer the email of a redemption again, for those who lost it. */
export class Resending {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {AppError} not_found; domain_rule when nobody can get it; rate_limited. */
  async resend(caller: Principal, serialId: string): Promise<{ email: string }> {
    const { db, clock, limits, emails, proofs } = this.#deps;
    const { email: recipient } = await findSale(db, caller.accountId, serialId);
    await limits.take(policies.resend_email, serialId);
    await takeCausedEmails(limits, caller.accountId, [recipient]);
    return db.work({ tx: true }, async (tx) => {
      const { email, ...sale } = await findSale(tx, caller.accountId, serialId);
      const proof = proofs.signEmailed(caller.accountId, [serialId], { customerId: sale.customerId, email });
      await emails.resend(tx, { developerId: caller.accountId, email, proof, ...sale });
      await noteSerialEvent(tx, { developerId: caller.accountId, serialId, kind: 'emailed', now: clock.now() });
      return { email };
    });
  }
}

/** Finds the sale that the email is about. @throws {AppError} not_found; domain_rule when nobody can get it. */
async function findSale(handle: RedemptionHandle, developerId: string, serialId: string) {
  const row = await handle
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .$call(leftJoinOwn('customers as c', 'c.id', 's.customer_id'))
    .select(['s.code', 'p.name as product', 'p.id as productId', 'c.email', 'c.id as customerId'])
    .select(sql<boolean>`c.erased_at is not null`.as('erased'))
    .where('s.developer_id', '=', developerId)
    .where('s.id', '=', serialId)
    .executeTakeFirst();
  if (!row) throw notFound('Serial');
  const { erased, email, customerId, ...sale } = row;
  if (email === null || customerId === null) throw new AppError('domain_rule', 'Nobody has redeemed this serial yet.');
  if (erased) throw new AppError('domain_rule', 'The data of this customer was erased.');
  return { ...sale, email, customerId };
}
