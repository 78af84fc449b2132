import type { Readable } from 'node:stream';
import { lockAccount } from '#features/accounts';
import { checkDateOrder } from '#features/serials';
import { recordWebhook } from '#features/webhooks';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { toCents } from '#platform/money.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { momentOf } from '#platform/time/days.ts';
import { findSharedProduct } from '../catalog/product-detail.queries.ts';
import type { DealsDb, DealsHandle } from '../tables.ts';
import type { DealEmails } from './deal-emails.service.ts';
import {
  addRequest,
  answering,
  countPending,
  findRequest,
  findUnseen,
  listRequests,
  noteSeen,
  requestsExport,
} from './deal-requests.queries.ts';
import type { DealRequestStatus, DealRequestView, OwnDealRequestsQuery, RequestDeal } from './deal-requests.schemas.ts';
import { limits as policies } from './limits.ts';
import { lockActive } from './partners.queries.ts';

const MOST_PENDING = 20;

interface Dependencies {
  db: DealsDb;
  clock: Clock;
  limits: RateLimits;
  exports: Exports;
  dealEmails: DealEmails;
}

/** Requests for deals from the side of the reseller who makes them. */
export class RequestedDeals {
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
    const { db, clock, limits, dealEmails } = this.#deps;
    await limits.take(policies.deal_requests, caller.accountId);
    const dates = {
      promoStart: momentOf(form.promo_start, 'start', caller.timeZone, 'promo_start'),
      promoExpires: momentOf(form.promo_expires, 'end', caller.timeZone, 'promo_expires'),
      expiresAt: momentOf(form.expires_at, 'end', caller.timeZone, 'expires_at'),
    };
    const resellerId = caller.accountId;
    return db.work({ tx: true }, async (tx) => {
      const now = clock.now();
      checkDateOrder(dates, now);
      await lockAccount(tx, caller);
      const before = await findRequest(tx, { resellerId }, id);
      if (before) return before;
      const product = await this.#lockProduct(tx, resellerId, form.product_id);
      if (!product) throw notFound('Product');
      const { developer_id: developerId, partnership_id: partnershipId } = product;
      await this.#assertRoom(tx, developerId, partnershipId);
      await addRequest(tx, {
        developer_id: developerId,
        id,
        partnership_id: partnershipId,
        product_id: form.product_id,
        product_name: product.product_name,
        price_cents: toCents(form.price),
        promo_start: dates.promoStart,
        promo_expires: dates.promoExpires,
        expires_at: dates.expiresAt,
        quantity: form.quantity,
        note: form.note,
        created_at: now,
      });
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
      await dealEmails.email(tx, { developerId, requestId: id, about: 'request' });
      await dealEmails.publish(tx, { developerId, resellerId });
      return (await findRequest(tx, { resellerId }, id)) as DealRequestView;
    });
  }

  async list(caller: Principal, query: OwnDealRequestsQuery) {
    const { status, unseen, count } = query;
    const filter = { status, unseen, count, after: decodeIdCursor(query.cursor), limit: query.limit + 1 };
    const { rows, total } = await listRequests(this.#deps.db, { resellerId: caller.accountId }, filter);
    const page = pageOf(rows, query.limit);
    return { ...page, total: total ?? page.rows.length };
  }

  /** All of them, as CSV. */
  export(caller: Principal, status: DealRequestStatus | undefined, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    const order = () => requestsExport(db, { resellerId: caller.accountId }, status, caller.timeZone);
    return exports.open(caller.accountId, order, signal);
  }

  /** Repeating it changes nothing. @throws {AppError} not_found; conflict when it was answered. */
  async withdraw(caller: Principal, id: string): Promise<DealRequestView> {
    const { db, clock, dealEmails } = this.#deps;
    const resellerId = caller.accountId;
    return db.work({ tx: true }, async (tx) => {
      const before = await findRequest(tx, { resellerId }, id);
      if (!before) throw notFound('Request');
      const { developer_id: developerId } = before;
      const changed = await answering(tx, developerId, id)
        .set({ status: 'withdrawn', answered_at: clock.now() })
        .returning('id')
        .executeTakeFirst();
      if (changed) await dealEmails.publish(tx, { developerId, resellerId });
      const request = (await findRequest(tx, { resellerId }, id)) as DealRequestView;
      if (request.status !== 'withdrawn') throw alreadyAnswered(request);
      return request;
    });
  }

  /** Takes note of all answers, so that the bell counts them no longer. */
  async see(caller: Principal): Promise<void> {
    const { db, clock } = this.#deps;
    const unseen = await findUnseen(db, caller.accountId, 1000);
    for (const [developerId, requests] of Map.groupBy(unseen, (each) => each.developer_id)) {
      const ids = requests.map((each) => each.id);
      await noteSeen(db, developerId, ids, clock.now());
    }
  }

  /** The product and its partnership, which stays as it is until the transaction ends: found first, then locked where it is. */
  async #lockProduct(tx: DealsHandle, resellerId: string, productId: string) {
    const product = await findSharedProduct(tx, resellerId, productId);
    if (!product) return undefined;
    const { developer_id: developerId, partnership_id: partnershipId } = product;
    return (await lockActive(tx, developerId, { id: partnershipId, resellerId })) ? product : undefined;
  }

  async #assertRoom(tx: DealsHandle, developerId: string, partnershipId: string): Promise<void> {
    if ((await countPending(tx, developerId, partnershipId)) < MOST_PENDING) return;
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
