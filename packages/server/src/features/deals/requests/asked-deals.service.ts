import type { Readable } from 'node:stream';
import { lockAccount } from '#features/accounts';
import { SEEN_BY_RESELLERS } from '#features/products';
import { checkDateOrder } from '#features/serials';
import { recordWebhook } from '#features/webhooks';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { toCents } from '#platform/money.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { momentOf } from '#platform/time/days.ts';
import type { DealNotices } from './deal-notices.service.ts';
import { findRequest, listRequests, requestsExport } from './deal-requests.queries.ts';
import type { DealRequestStatus, DealRequestView, OwnDealRequestsQuery, RequestDeal } from './deal-requests.schemas.ts';
import { limits as policies } from './limits.ts';

const MOST_PENDING = 20;

interface Dependencies {
  db: Database;
  clock: Clock;
  limits: RateLimits;
  exports: Exports;
  notices: DealNotices;
}

/** Requests for deals from the side of the reseller who makes them. */
export class AskedDeals {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Asks the developer of a product for a deal.
   * @param id a repeat with the same id changes nothing and gets the same answer.
   * @throws {AppError} not_found for a product that the reseller can't sell; domain_rule over 20 pending ones per developer;
   * rate_limited; invalid_request and dates_out_of_order for dates that no deal can have.
   */
  async request(caller: Principal, id: string, form: RequestDeal): Promise<DealRequestView> {
    const { db, clock, limits, notices } = this.#deps;
    await limits.take(policies.deal_requests, caller.userId);
    const dates = {
      promoStart: momentOf(form.promo_start, 'start', caller.timeZone, 'promo_start'),
      promoExpires: momentOf(form.promo_expires, 'end', caller.timeZone, 'promo_expires'),
      expiresAt: momentOf(form.expires_at, 'end', caller.timeZone, 'expires_at'),
    };
    const resellerId = caller.userId;
    return db.transaction(async (tx) => {
      const now = clock.now();
      checkDateOrder(dates, now);
      await lockAccount(tx, caller);
      const before = await findRequest(tx, { resellerId }, id);
      if (before) return before;
      const product = await this.#lockProduct(tx, resellerId, form.product_id);
      if (!product) throw notFound('Product');
      const { developer_id: developerId, partnership_id: partnershipId } = product;
      await this.#assertRoom(tx, developerId, partnershipId);
      await tx.query(
        `insert into deal_requests (developer_id, id, partnership_id, product_id, product_name, price_cents, promo_start,
           promo_expires, expires_at, quantity, note, status, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'pending', $12)`,
        [
          developerId,
          id,
          partnershipId,
          form.product_id,
          product.name,
          toCents(form.price),
          dates.promoStart,
          dates.promoExpires,
          dates.expiresAt,
          form.quantity,
          form.note,
          now,
        ],
      );
      const requested = {
        request_id: id,
        product_id: form.product_id,
        partnership_id: partnershipId,
        developer_id: developerId,
        quantity: form.quantity,
        price: form.price,
      };
      for (const accountId of [developerId, resellerId])
        await recordWebhook(tx, accountId, { type: 'deal.requested', at: now, data: requested });
      await notices.email(tx, { developerId, requestId: id, about: 'request' });
      await notices.publish(tx, { developerId, resellerId });
      return (await findRequest(tx, { resellerId }, id)) as DealRequestView;
    });
  }

  async list(caller: Principal, query: OwnDealRequestsQuery) {
    const { status, unseen } = query;
    const filter = { status, unseen, after: decodeIdCursor(query.cursor), limit: query.limit + 1 };
    const { rows, total } = await listRequests(this.#deps.db, { resellerId: caller.userId }, filter);
    return { ...pageOf(rows, query.limit), total };
  }

  /** All of them, as CSV. */
  export(caller: Principal, status: DealRequestStatus | undefined, signal: AbortSignal): Promise<Readable> {
    return this.#deps.exports.open(
      caller.userId,
      requestsExport({ resellerId: caller.userId }, status, caller.timeZone),
      signal,
    );
  }

  /** Repeating it changes nothing. @throws {AppError} not_found; conflict when it was answered. */
  async withdraw(caller: Principal, id: string): Promise<DealRequestView> {
    const { db, clock, notices } = this.#deps;
    const resellerId = caller.userId;
    return db.transaction(async (tx) => {
      const before = await findRequest(tx, { resellerId }, id);
      if (!before) throw notFound('Request');
      const { developer_id: developerId } = before;
      const changed = await tx.query(
        `update deal_requests set status = 'withdrawn', answered_at = $3
         where developer_id = $1 and id = $2 and status = 'pending' returning id`,
        [developerId, id, clock.now()],
      );
      if (changed.length > 0) await notices.publish(tx, { developerId, resellerId });
      const request = (await findRequest(tx, { resellerId }, id)) as DealRequestView;
      if (request.status !== 'withdrawn') throw alreadyAnswered(request);
      return request;
    });
  }

  /** Takes note of all answers, so that the bell counts them no longer. */
  async see(caller: Principal): Promise<void> {
    const { db, clock } = this.#deps;
    const resellerId = caller.userId;
    const unseen = await db.query<{ developer_id: string; id: string }>(
      `/* across tenants: a reseller works with many developers */
       select r.developer_id, r.id from partnerships t
         join deal_requests r on (r.developer_id, r.partnership_id) = (t.developer_id, t.id)
       where t.reseller_id = $1 and r.status in ('accepted', 'declined') and r.seen_at is null limit 1000`,
      [resellerId],
    );
    const byDeveloper = Map.groupBy(unseen, (each) => each.developer_id);
    for (const [developerId, requests] of byDeveloper) {
      await db.query(
        'update deal_requests set seen_at = $3 where developer_id = $1 and id = any($2) and seen_at is null',
        [developerId, requests.map((each) => each.id), clock.now()],
      );
    }
  }

  /** The product and its partnership, which stays as it is until the transaction ends. */
  async #lockProduct(sql: Sql, resellerId: string, productId: string) {
    const [product] = await sql.query<{ developer_id: string; partnership_id: string; name: string }>(
      `/* across tenants: a reseller names a product of one of many developers */
       select p.developer_id, t.id as partnership_id, p.name
       from partnerships t join users u on u.id = t.developer_id join products p on p.developer_id = t.developer_id and p.id = $2
       where t.reseller_id = $1 and t.status = 'active' and u.deleted_at is null and ${SEEN_BY_RESELLERS}
       for no key update of t`,
      [resellerId, productId],
    );
    return product;
  }

  async #assertRoom(sql: Sql, developerId: string, partnershipId: string): Promise<void> {
    const [row] = await sql.query<{ pending: number }>(
      `select count(*)::int as pending from deal_requests
       where developer_id = $1 and partnership_id = $2 and status = 'pending'`,
      [developerId, partnershipId],
    );
    if ((row?.pending ?? 0) < MOST_PENDING) return;
    throw new AppError(
      'domain_rule',
      `At most ${MOST_PENDING} requests to one developer can be pending. Withdraw some first.`,
    );
  }
}

/** Why a request can't be answered or withdrawn any more. */
export function alreadyAnswered({ status }: Pick<DealRequestView, 'status'>): AppError {
  return new AppError('conflict', `This request is already ${status}.`);
}
