import type { OrderDraws } from '#features/draws';
import type { Refunds } from '#features/redemption';
import type { OnLowStock } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Base, ErasedPerson } from '#platform/feature.ts';
import { type DueJob, jobsWorker, jobWorker } from '#platform/jobs/job.ts';
import { connectionRoutes } from './connections/connections.routes.ts';
import { Connections } from './connections/connections.service.ts';
import { Farewells, sendLastFarewells } from './connections/farewell.ts';
import { ShopApis } from './connections/shop-apis.service.ts';
import type { ShopEmails } from './connections/shop-emails.ts';
import { SilentShops } from './connections/silence.ts';
import { erasePerson, eraseShopsOf } from './erase.ts';
import { deliveryRoutes } from './inbound/deliveries.routes.ts';
import { Deliveries } from './inbound/deliveries.service.ts';
import { expireDeliveries } from './inbound/expiry.ts';
import { inboundRoutes } from './inbound/inbound.routes.ts';
import { InboundDeliveries } from './inbound/inbound.service.ts';
import { LicenseCalls } from './inbound/license-calls.service.ts';
import { itemRoutes } from './items/items.routes.ts';
import { Items } from './items/items.service.ts';
import { expireLinks } from './links/order-links.queries.ts';
import { orderLinkRoutes } from './links/order-links.routes.ts';
import { type OrderLinkEmails, OrderLinks, orderLinkJob } from './links/order-links.service.ts';
import { OrderActions } from './orders/order-actions.service.ts';
import { OrderNotes } from './orders/order-notes.service.ts';
import { orderRoutes } from './orders/orders.routes.ts';
import { Orders } from './orders/orders.service.ts';
import { Sales } from './orders/sales.service.ts';
import { DueOrders } from './queue/due-orders.ts';
import {
  farewellJob,
  farewellsJob,
  noteJob,
  ORDERS_AT_ONCE,
  type OrderWork,
  orderJob,
  ratesJob,
  reconcileAllJob,
  reconcileJob,
  refillJob,
  silentShopsJob,
  waitingJob,
} from './queue/order-job.ts';
import { OrderWorker } from './queue/order-worker.ts';
import { WaitingOrders } from './queue/waiting.ts';
import { Rates } from './rates/rates.service.ts';
import { Reconciling } from './reconcile/reconcile.service.ts';
import { sealedPreviousShopSecrets, sealedShopCredentials, sealedShopFarewells, sealedShopSecrets } from './sealed.ts';
import { NewOrders } from './settling/new-orders.ts';
import { OrderEmails } from './settling/order-emails.ts';
import { Settling } from './settling/settling.ts';
import type { OrderedCodes } from './settling/work.ts';
import { ShopEvent, ShopOrderEvent } from './shop-events.ts';
import { tables } from './tables.ts';

interface Needs {
  emails: { lowStock: OnLowStock };
  emailQueue: EmailQueue;
  emailSwitches: ShopEmails;
  refunds: Refunds;
  orderedCodes: OrderedCodes & OrderLinkEmails;
  /** Where a developer’s customers redeem. */
  redeemUrl: (sql: Sql, developerId: string) => Promise<string>;
  domains: {
    /** The developer whose custom domain is in a Host header, or null. */
    developerOf(host: string): Promise<string | null>;
  };
  orderDraws: OrderDraws;
}

export const shops = {
  entities: tables.entities,
  events: [ShopOrderEvent, ShopEvent] as const,
  sealed: [sealedShopSecrets, sealedPreviousShopSecrets, sealedShopCredentials, sealedShopFarewells],

  create(platform: Base, needs: Needs) {
    const { emails, emailQueue, emailSwitches, refunds, orderedCodes, orderDraws, redeemUrl, domains } = needs;
    const base = { ...platform, db: tables.of(platform.db), emailQueue, emailSwitches, redeemUrl };
    const onLowStock: OnLowStock = (...low) => emails.lowStock(...low);
    const connections = new Connections(base);
    const worker = new OrderWorker({
      ...base,
      settling: new Settling({ ...base, onLowStock, refunds, orderedCodes, orderDraws }),
    });
    const newOrders = new NewOrders({ ...base, onLowStock, orderedCodes, orderDraws });
    const due = new DueOrders({ ...base, worker, newOrders });
    const orderEmails = new OrderEmails({ ...base, orderedCodes, orderDraws });
    const notes = new OrderNotes({ ...base, orderEmails, orderedCodes });
    const waiting = new WaitingOrders({ ...base, orderDraws });
    const reconciling = new Reconciling({ ...base, worker });
    const silent = new SilentShops(base);
    const farewells = new Farewells(base);
    const rates = new Rates(base);
    const developerOf = (host: string) => domains.developerOf(host);
    const links = new OrderLinks({ ...base, worker, emails: orderedCodes, developerOf });
    return {
      api: {
        shops: {
          /** @returns what is done once the account is deleted. */
          async deleteOf(sql: Sql, accountId: string): Promise<() => Promise<void>> {
            const departed = await eraseShopsOf(sql, accountId, base.clock.now());
            return () => sendLastFarewells(base, accountId, departed);
          },
        },
        shopOrders: {
          run: (work: OrderWork) => worker.run(work),
          runAll: (jobs: readonly DueJob<OrderWork>[]) => due.run(jobs),
        },
      },
      routes: [
        connectionRoutes(connections, new ShopApis(base)),
        itemRoutes(new Items(base)),
        deliveryRoutes(new Deliveries(base)),
        orderRoutes(
          new Orders(base),
          new OrderActions({ ...base, worker, orderEmails }),
          new Sales({ ...base, worker }),
        ),
        orderLinkRoutes(links),
        inboundRoutes(base.pluginsFirst, new InboundDeliveries(base), new LicenseCalls({ ...base, worker })),
      ],
      jobs: [
        jobsWorker(orderJob, ORDERS_AT_ONCE, (jobs) => due.run(jobs)),
        jobWorker(noteJob, (work) => notes.write(work)),
        jobWorker(orderLinkJob, (wish) => links.sendLink(wish)),
        jobWorker(waitingJob, (which) => waiting.lookAt(which)),
        jobWorker(refillJob, () => waiting.refill()),
        jobWorker(reconcileAllJob, () => reconciling.lookAtAll()),
        jobWorker(reconcileJob, (work) => reconciling.look(work)),
        jobWorker(farewellJob, (work) => farewells.attempt(work)),
        jobWorker(farewellsJob, () => farewells.lookAtAll()),
        jobWorker(silentShopsJob, () => silent.lookAtAll()),
        jobWorker(ratesJob, () => rates.read()),
      ],
      housekeeping: [() => expireDeliveries(base.db, base.clock.now()), () => expireLinks(base.db, base.clock.now())],
      erase: (sql: Sql, person: ErasedPerson) => erasePerson(sql, person, base.clock.now()),
    };
  },
};
