import type { DownloadProofs } from '#features/customers';
import { noteSerialEvent } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { limits as policies } from '../limits.ts';

/** Port: the customer's email about a redemption, queued again in the caller's transaction. */
export interface ResendEmail {
  resend(
    sql: Sql,
    fact: {
      developerId: string;
      customerId: string;
      productId: string;
      product: string;
      code: string;
      proof: string;
      email: string;
    },
  ): Promise<void>;
}

interface Dependencies {
  db: Database;
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
    const find = async (sql: Sql) => {
      const [row] = await sql.query<{
        code: string;
        product: string;
        productId: string;
        email: string | null;
        customerId: string;
        erased: boolean;
      }>(
        `select s.code, p.name as product, p.id as "productId", c.email, c.id as "customerId",
           c.erased_at is not null as erased
         from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
           join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
           left join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
         where s.developer_id = $1 and s.id = $2`,
        [caller.userId, serialId],
      );
      if (!row) throw notFound('Serial');
      if (row.email === null) throw new AppError('domain_rule', 'Nobody has redeemed this serial yet.');
      if (row.erased) throw new AppError('domain_rule', 'The data of this customer was erased.');
      const { erased: _, ...sale } = row;
      return { ...sale, email: row.email };
    };
    const { email: recipient } = await find(db);
    await limits.take(policies.resend_email, serialId);
    await takeCausedEmails(limits, caller.userId, [recipient]);
    return db.transaction(async (tx) => {
      const { email, ...sale } = await find(tx);
      const proof = proofs.signEmailed(caller.userId, [serialId], { customerId: sale.customerId, email });
      await emails.resend(tx, { developerId: caller.userId, email, proof, ...sale });
      await noteSerialEvent(tx, { developerId: caller.userId, serialId, kind: 'emailed', now: clock.now() });
      return { email };
    });
  }
}
