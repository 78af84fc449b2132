import type { Readable } from 'node:stream';
import type { BatchDeals, GeneratedDeal } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { type DealsDb, type DealsHandle, tables } from '../tables.ts';
import type { DealEmails } from './deal-emails.service.ts';
import { answering, findRequest, listRequests, requestsExport } from './deal-requests.queries.ts';
import type { DealRequestsQuery, DealRequestView } from './deal-requests.schemas.ts';
import { holdActive, resellerOf } from './partners.queries.ts';
import { alreadyAnswered } from './requested-deals.service.ts';

interface Dependencies {
  db: DealsDb;
  clock: Clock;
  exports: Exports;
  dealEmails: DealEmails;
}

/** Requests for deals from the side of the developer who answers them. */
export class DealAnswers implements BatchDeals {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal, query: DealRequestsQuery) {
    const { status, count } = query;
    const filter = { status, count, after: decodeIdCursor(query.cursor), limit: query.limit + 1 };
    const { rows, total } = await listRequests(this.#deps.db, { developerId: caller.accountId }, filter);
    const page = pageOf(rows, query.limit);
    return { ...page, total: total ?? page.rows.length };
  }

  export(caller: Principal, { status }: Pick<DealRequestsQuery, 'status'>, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    const order = () => requestsExport(db, { developerId: caller.accountId }, status, caller.timeZone);
    return exports.open(caller.accountId, order, signal);
  }

  async get(caller: Principal, id: string): Promise<DealRequestView> {
    const request = await findRequest(this.#deps.db, { developerId: caller.accountId }, id);
    if (!request) throw notFound('Request');
    return request;
  }

  /** The same reason again changes nothing. @throws {AppError} not_found; conflict when it was answered otherwise. */
  async decline(caller: Principal, id: string, reason: string): Promise<DealRequestView> {
    const { db, clock } = this.#deps;
    const developerId = caller.accountId;
    return db.work({ tx: true }, async (tx) => {
      const declined = await answering(tx, developerId, id)
        .set({ status: 'declined', answer: reason, answered_at: clock.now() })
        .returning('partnership_id')
        .executeTakeFirst();
      const request = await findRequest(tx, { developerId }, id);
      if (!request) throw notFound('Request');
      if (declined) await this.#notifyAnswered(tx, developerId, id, declined.partnership_id);
      else if (request.status !== 'declined' || request.answer !== reason) throw alreadyAnswered(request);
      return request;
    });
  }

  /**
   * Port: before the serials of a batch are generated. What it checks is settled by {@link made}.
   * @throws {AppError} not_found; conflict when the request can't be accepted; invalid_request for another product or
   * reseller, or without a promo price.
   */
  async check(sql: Sql, deal: GeneratedDeal): Promise<void> {
    const { developerId, requestId } = deal;
    if (!requestId) return;
    const request = await findRequest(sql, { developerId }, requestId);
    if (!request) throw invalidField('deal_request_id', 'Request not found.');
    // a repeat of the request that accepted it ends at the batch's id
    if (request.accepted?.batch_id !== deal.batchId) assertOpen(request);
    if (request.product_id !== deal.productId) throw invalidField('product_id', 'The request is for another product.');
    if (request.reseller_id !== deal.partnershipId)
      throw invalidField('reseller_id', 'The request is another reseller’s.');
    if (deal.promoPrice === null) throw invalidField('promo_price', 'A deal needs a promo price.');
  }

  /**
   * Port: after the serials of a batch were generated, in the same transaction. Accepts the request that the batch is the
   * answer to; about any other deal, the reseller is told. Locks nothing before, so that nobody waits for a large batch.
   * @throws {AppError} conflict when somebody else was faster, or the two don't work together any more.
   */
  async made(sql: Sql, deal: GeneratedDeal): Promise<void> {
    const { developerId, batchId, requestId, partnershipId, promoPrice } = deal;
    const { clock, dealEmails } = this.#deps;
    if (!partnershipId || promoPrice === null) return;
    const tx = tables.in(sql);
    if (!requestId) {
      await dealEmails.email(tx, { developerId, batchId });
      await this.#publish(tx, developerId, partnershipId);
      return;
    }
    // the rows locked here do not change until the transaction ends
    const isActive = await holdActive(tx, developerId, partnershipId);
    const accepted = await answering(tx, developerId, requestId)
      .set({ status: 'accepted', batch_id: batchId, answered_at: clock.now() })
      .returning('id')
      .executeTakeFirst();
    if (!isActive || !accepted) {
      const request = await findRequest(tx, { developerId }, requestId);
      throw !accepted && request ? alreadyAnswered(request) : notOpen();
    }
    await this.#notifyAnswered(tx, developerId, requestId, partnershipId);
  }

  async #notifyAnswered(tx: DealsHandle, developerId: string, requestId: string, partnershipId: string): Promise<void> {
    await this.#deps.dealEmails.email(tx, { developerId, requestId, about: 'answer' });
    await this.#publish(tx, developerId, partnershipId);
  }

  async #publish(tx: DealsHandle, developerId: string, partnershipId: string): Promise<void> {
    const resellerId = await resellerOf(tx, developerId, partnershipId);
    if (resellerId) await this.#deps.dealEmails.publish(tx, { developerId, resellerId });
  }
}

function assertOpen(request: DealRequestView): void {
  if (request.is_open) return;
  throw request.status === 'pending' ? notOpen() : alreadyAnswered(request);
}

function notOpen(): AppError {
  return new AppError(
    'conflict',
    'This request can no longer be accepted: its product is not published, or you do not work together at present.',
  );
}
