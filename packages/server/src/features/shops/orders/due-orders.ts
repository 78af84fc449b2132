import { isDatabaseAway } from '#platform/db/away.ts';
import type { DueJob } from '#platform/jobs/job.ts';
import { AtMost } from '#platform/limits/at-most.ts';
import type { Logger } from '#platform/log.ts';
import { MOST, type NewOrders } from '../settling/new-orders.ts';
import type { OrderWork } from './order-job.ts';
import type { OrderWorker } from './order-worker.ts';

/** Orders that are worked on alone, at the same time: some wait for what their shop answers. */
const ALONE = 20;

interface Dependencies {
  worker: Pick<OrderWorker, 'run'>;
  newOrders: Pick<NewOrders, 'settle'>;
  log: Logger;
}

/** The orders that are due: those that are new and simple together, by their shop, the others alone. */
export class DueOrders {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job. @returns why one failed, by its id. */
  async run(jobs: readonly DueJob<OrderWork>[]): Promise<ReadonlyMap<string, Error>> {
    const failures = new Map<string, Error>();
    const alone = new AtMost(ALONE);
    const shops = Map.groupBy(jobs, ({ payload }) => `${payload.accountId} ${payload.shopId}`);
    const ofShop = async (some: readonly DueJob<OrderWork>[]) => {
      const orders = Map.groupBy(some, ({ payload }) => payload.orderKey);
      const settled = await this.#together([...orders.values()].map((same) => (same[0] as DueJob<OrderWork>).payload));
      const rest = [...orders].filter(([orderKey]) => !settled.has(orderKey));
      await Promise.all(
        rest.map(([, same]) =>
          alone.run(async () => {
            try {
              await this.#deps.worker.run((same[0] as DueJob<OrderWork>).payload);
            } catch (error) {
              for (const { id } of same) failures.set(id, error as Error);
            }
          }),
        ),
      );
    };
    await Promise.all([...shops.values()].map(ofShop));
    return failures;
  }

  /** @returns the keys of the orders that are settled. */
  async #together(works: readonly OrderWork[]): Promise<ReadonlySet<string>> {
    const settled = new Set<string>();
    for (let at = 0; at < works.length; at += MOST.orders) {
      const some = works.slice(at, at + MOST.orders);
      const [first] = some;
      // one alone is no slower than it would be together
      if (!first || some.length === 1) continue;
      try {
        const keys = some.map(({ orderKey }) => orderKey);
        for (const key of await this.#deps.newOrders.settle(first.accountId, first.shopId, keys)) settled.add(key);
      } catch (error) {
        // each alone would only find the same
        if (isDatabaseAway(error)) throw error;
        this.#deps.log.warn(
          { err: error, orders: some.length },
          'orders could not be settled together, so each is alone',
        );
      }
    }
    return settled;
  }
}
