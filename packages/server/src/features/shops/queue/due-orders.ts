import { isDatabaseAway } from '#platform/db/away.ts';
import type { DueJob } from '#platform/jobs/job.ts';
import { AtMost } from '#platform/limits/at-most.ts';
import type { Logger } from '#platform/log.ts';
import { MOST, type NewOrders } from '../settling/new-orders.ts';
import type { OrderWork } from './order-job.ts';
import type { OrderWorker } from './order-worker.ts';

/** Orders of one shop that are worked on alone, at the same time: some wait for what their shop answers. */
const ALONE = 25;

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
    const noteFailed = (some: readonly DueJob<OrderWork>[], error: unknown) => {
      for (const { id } of some) failures.set(id, error as Error);
    };
    const shops = Map.groupBy(jobs, ({ payload }) => `${payload.accountId} ${payload.shopId}`);
    await Promise.all(
      [...shops.values()].map((some) => this.#ofShop(some, noteFailed).catch((error) => noteFailed(some, error))),
    );
    return failures;
  }

  async #ofShop(
    jobs: readonly DueJob<OrderWork>[],
    noteFailed: (some: readonly DueJob<OrderWork>[], error: unknown) => void,
  ): Promise<void> {
    const orders = [...Map.groupBy(jobs, ({ payload }) => payload.orderKey).values()].map((same) => {
      const [{ payload }] = same as [DueJob<OrderWork>];
      return { same, payload };
    });
    const settled = await this.#together(orders.map(({ payload }) => payload));
    const alone = new AtMost(ALONE);
    await Promise.all(
      orders
        .filter(({ payload }) => !settled.has(payload.orderKey))
        .map(({ same, payload }) =>
          alone.run(() => this.#deps.worker.run(payload).catch((error) => noteFailed(same, error))),
        ),
    );
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
