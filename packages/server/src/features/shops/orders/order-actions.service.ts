import { lockAccount } from '#features/accounts';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Random } from '#platform/random.ts';
import { emailKey, parseEmail } from '#platform/text/email-address.ts';
import { limits as policies } from '../limits.ts';
import { orderJob } from '../queue/order-job.ts';
import { BY_HAND, type OrderWorker } from '../queue/order-worker.ts';
import type { OrderEmails } from '../settling/order-emails.ts';
import type { Answer } from '../settling/outcome.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import * as q from './order-rows.queries.ts';
import type { OrderChangeForm, OrderDecisionForm } from './orders.schemas.ts';
import { findShop } from './shop-rows.queries.ts';

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  jobs: Jobs;
  limits: RateLimits;
  worker: OrderWorker;
  orderEmails: Pick<OrderEmails, 'emailAgain'>;
}

interface Named {
  connection_id: string;
  external_id: string;
}

/** The seller's key of a refund that nobody but the seller knows of. */
const TAKEN_BACK = 'taken_back';

/** A seller's actions on an order. */
export class OrderActions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Keeps or takes back what an order asks about. One that the shop canceled without a refund is taken back as a whole.
   * @throws {AppError} not_found; domain_rule when it asks nothing.
   */
  decide(caller: Principal, id: string, { answer: decision, unit_ids }: OrderDecisionForm): Promise<void> {
    const { worker, clock } = this.#deps;
    return this.#held(caller, id, async (tx, order) => {
      if (order.reasons.length === 0) throw new AppError('domain_rule', 'This order asks nothing.');
      const answer: Answer = { decision, unitIds: unit_ids ?? null };
      const shop = await findShop(tx, caller.accountId, order.connection_id);
      if (!shop) throw notFound('Order');
      const isWhole = order.reasons.includes('canceled') || order.reasons.includes('duplicate');
      const takesAll = decision === 'take' && unit_ids === undefined && isWhole;
      const reversals = takesAll
        ? [
            {
              orderId: order.external_id,
              key: TAKEN_BACK,
              kind: 'refund' as const,
              isWhole: true,
              lines: null,
              amount: null,
              undoes: null,
              happenedAt: clock.now(),
            },
          ]
        : [];
      if (decision === 'take' && !takesAll && !order.reasons.includes('refund_asks'))
        throw new AppError('domain_rule', 'Nothing of this order that was refunded is still there.');
      await worker.apply(tx, shop, order.external_id, { orders: [], reversals }, answer);
    });
  }

  /** Changes its note, or where its codes are sent. */
  change(caller: Principal, id: string, { email, note }: OrderChangeForm): Promise<void> {
    const { clock, worker } = this.#deps;
    return this.#held(caller, id, async (tx, order) => {
      if (order.erased_at !== null) throw new AppError('domain_rule', 'The customer of this order was erased.');
      const address = email === undefined ? undefined : (parseEmail(email) as string);
      await tx
        .updateTable('shop_orders')
        .set({
          ...(note === undefined ? {} : { note: note || null }),
          ...(address === undefined
            ? {}
            : { email: address, email_key: emailKey(address), settled: [...new Set([...order.settled, BY_HAND])] }),
          updated_at: clock.now(),
        })
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .execute();
      if (address === undefined) return;
      // an order that had no address is delivered to this one
      const shop = await findShop(tx, caller.accountId, order.connection_id);
      if (shop) await worker.apply(tx, shop, order.external_id, { orders: [], reversals: [] });
    });
  }

  /** Emails all codes of an order again, to the address that it has. */
  async resend(caller: Principal, id: string): Promise<void> {
    const { limits, random, orderEmails } = this.#deps;
    await limits.take(policies.shop_resends, `${caller.accountId} ${id}`);
    await this.#held(caller, id, async (tx, order) => {
      if (order.email === null) throw new AppError('domain_rule', 'This order has no email address. Enter one first.');
      const sent = await orderEmails.emailAgain(tx, order, random.id());
      if (!sent) throw new AppError('domain_rule', 'This order has no codes that could be sent.');
    });
  }

  /** Works on a delivery again, as if it had come just now. @throws {AppError} not_found */
  replay(caller: Principal, id: string, deliveryId: string): Promise<void> {
    const { jobs } = this.#deps;
    const { accountId } = caller;
    return this.#held(caller, id, async (tx, { connection_id: shopId, external_id: orderKey }) => {
      const delivery = await tx
        .selectFrom('shop_deliveries')
        .select(['state', 'body', 'body_hash', 'key'])
        .where('developer_id', '=', accountId)
        .where('connection_id', '=', shopId)
        .where('order_key', '=', orderKey)
        .where('id', '=', deliveryId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!delivery) throw notFound('Delivery');
      if (Buffer.from(delivery.body).length === 0)
        throw new AppError('domain_rule', 'What came was erased with its customer.');
      const twin = await tx
        .selectFrom('shop_deliveries')
        .select('id')
        .where('developer_id', '=', accountId)
        .where('connection_id', '=', shopId)
        .where('body_hash', '=', delivery.body_hash)
        .where('state', '=', 'received')
        .where('key', 'is', null)
        .executeTakeFirst();
      // the same bytes wait already
      if (delivery.state !== 'received' && !(delivery.key === null && twin))
        await tx
          .updateTable('shop_deliveries')
          .set({ state: 'received', why: null, done_at: null })
          .where('developer_id', '=', accountId)
          .where('id', '=', deliveryId)
          .execute();
      await jobs.enqueue(tx, orderJob, { accountId, shopId, orderKey });
    });
  }

  /** An order, held until the transaction ends: its account first, as whatever works on it does. */
  async #held(
    caller: Principal,
    id: string,
    work: (tx: ShopsHandle, order: q.OrderRow) => Promise<void>,
  ): Promise<void> {
    const { accountId } = caller;
    await this.#deps.db.work({ tx: true }, async (tx) => {
      await lockAccount(tx, caller);
      const named: Named | undefined = await tx
        .selectFrom('shop_orders')
        .select(['connection_id', 'external_id'])
        .where('developer_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      const order = named && (await q.findHeld(tx, accountId, named.connection_id, named.external_id));
      if (!order) throw notFound('Order');
      await work(tx, order);
    });
  }
}
