import { recordAudit } from '#features/audit';
import type { CustomerRow, Customers, DownloadProofs } from '#features/customers';
import { giveSerial } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { joinOwn, leftJoinOwn } from '#platform/db/tenant.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { limits as policies } from '../limits.ts';
import type { RedemptionDb, RedemptionHandle } from '../tables.ts';
import type { TransferBody } from './transfers.schemas.ts';

/** Port: emails to both owners, queued in the caller's transaction. */
export interface TransferEmails {
  transferred(
    sql: Sql,
    developerId: string,
    change: {
      product: string;
      code: string;
      from: { customerId: string; email: string } | null;
      to: { customerId: string; email: string; name: string | null };
      /** Opens the serial's downloads for its new owner. */
      proof: string;
    },
  ): Promise<void>;
}

interface Dependencies {
  db: RedemptionDb;
  clock: Clock;
  limits: RateLimits;
  customers: Customers;
  emails: TransferEmails;
  proofs: DownloadProofs;
}

/** Gives redeemed serials to other customers: they were sold on, or redeemed with the wrong address. */
export class Transfers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The ledger keeps who redeemed it; downloads and machines stay with the serial. Both histories have it, and both people
   * are told. Of two at once the second finds what the first has left.
   * @throws {AppError} not_found; domain_rule before the redemption; stale_version when it changed hands; rate_limited.
   */
  async transfer(caller: Principal, serialId: string, body: TransferBody) {
    const { db, clock, limits, customers, emails, proofs } = this.#deps;
    const developerId = caller.accountId;
    // a serial that the caller does not own does not count against its owner's limit
    const { owner: current } = await this.#owner(db, developerId, serialId);
    await limits.take(policies.transfer, serialId);
    await takeCausedEmails(
      limits,
      developerId,
      [current.email, body.email].filter((each) => each !== ''),
    );
    return db.work({ tx: true }, async (tx) => {
      // the customer before the serial, as in a redemption
      const to = await customers.receiving(tx, developerId, body);
      // a statement of its own: a join that waited for the lock would look for the new owner among the previous rows
      await tx
        .selectFrom('serials')
        .select('id')
        .where('developer_id', '=', developerId)
        .where('id', '=', serialId)
        .forNoKeyUpdate()
        .execute();
      const before = await this.#owner(tx, developerId, serialId);
      if (body.from_customer_id !== undefined && body.from_customer_id !== before.owner.id) {
        throw new AppError('stale_version', 'The serial belongs to somebody else by now. Look at it again.');
      }
      if (before.owner.id === to.id) return { id: serialId, customer: to, changed: false };
      const { code, product, owner } = before;
      const now = clock.now();
      await giveSerial(tx, { developerId, serialId, from: owner.id, to: to.id, now });
      await recordAudit(tx, developerId, {
        action: 'serial_transferred',
        at: now,
        detail: product,
        objectId: serialId,
      });
      await customers.noteTransfer(tx, developerId, { code, from: owner.id, to: to.id });
      const name = [to.first_name, to.last_name].filter(Boolean).join(' ') || null;
      await emails.transferred(tx, developerId, {
        product,
        code,
        from: owner.email ? { customerId: owner.id, email: owner.email } : null,
        to: { customerId: to.id, email: to.email, name },
        proof: proofs.signEmailed(developerId, [serialId], { customerId: to.id, email: to.email }),
      });
      return { id: serialId, customer: to, changed: true };
    });
  }

  async #owner(handle: RedemptionHandle, developerId: string, serialId: string) {
    const row = await handle
      .selectFrom('serials as s')
      .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
      .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
      .$call(leftJoinOwn('customers as c', 'c.id', 's.customer_id'))
      .select(['s.code', 'p.name as product', 'c.id', 'c.email'])
      .where('s.developer_id', '=', developerId)
      .where('s.id', '=', serialId)
      .where('p.deleted_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw notFound('Serial');
    if (row.id === null) throw new AppError('domain_rule', 'Nobody has redeemed this serial yet.');
    const owner: Pick<CustomerRow, 'id' | 'email'> = { id: row.id, email: row.email ?? '' };
    return { code: row.code, product: row.product, owner };
  }
}
