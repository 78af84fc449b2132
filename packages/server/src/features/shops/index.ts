import type { Refunds } from '#features/redemption';
import type { OnLowStock } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { Base, ErasedPerson } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { connectionRoutes } from './connections/connections.routes.ts';
import { Connections } from './connections/connections.service.ts';
import { erasePerson } from './erase.ts';
import { expireDeliveries } from './inbound/expiry.ts';
import { inboundRoutes } from './inbound/inbound.routes.ts';
import { InboundDeliveries } from './inbound/inbound.service.ts';
import { itemRoutes } from './items/items.routes.ts';
import { Items } from './items/items.service.ts';
import { orderJob, refillJob, waitingJob } from './orders/order-job.ts';
import { OrderWorker } from './orders/order-worker.ts';
import { orderRoutes } from './orders/orders.routes.ts';
import { Orders } from './orders/orders.service.ts';
import { Sales } from './orders/sales.service.ts';
import { type OrderedCodes, Settling } from './orders/settling.ts';
import { WaitingOrders } from './orders/waiting.ts';
import { sealedPreviousShopSecrets, sealedShopCredentials, sealedShopSecrets } from './sealed.ts';
import { tables } from './tables.ts';

interface Needs {
  emails: { lowStock: OnLowStock };
  refunds: Refunds;
  orderedCodes: OrderedCodes;
}

export const shops = {
  entities: tables.entities,
  sealed: [sealedShopSecrets, sealedPreviousShopSecrets, sealedShopCredentials],

  create(platform: Base, { emails, refunds, orderedCodes }: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const onLowStock: OnLowStock = (...low) => emails.lowStock(...low);
    const connections = new Connections(base);
    const settling = new Settling({ ...base, onLowStock, refunds, orderedCodes });
    const worker = new OrderWorker({ ...base, settling });
    const waiting = new WaitingOrders(base);
    return {
      api: { shops: { deleteOf: (sql: Sql, accountId: string) => connections.deleteOf(sql, accountId) } },
      routes: [
        connectionRoutes(connections),
        itemRoutes(new Items(base)),
        orderRoutes(new Orders(base), new Sales({ ...base, worker })),
        inboundRoutes(new InboundDeliveries(base)),
      ],
      jobs: [
        jobWorker(orderJob, (work) => worker.run(work)),
        jobWorker(waitingJob, (which) => waiting.lookAt(which)),
        jobWorker(refillJob, () => waiting.refill()),
      ],
      housekeeping: [() => expireDeliveries(base.db, base.clock.now())],
      erase: (sql: Sql, person: ErasedPerson) => erasePerson(sql, person, base.clock.now()),
    };
  },
};
