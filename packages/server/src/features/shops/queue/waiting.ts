import { sql } from 'kysely';
import type { OrderDraws } from '#features/draws';
import { canSell } from '#features/serials';
import type { Clock } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants, ownJoin } from '#platform/db/tenant.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { ShopsDb } from '../tables.ts';
import { orderJob } from './order-job.ts';

const PAGE = 1000;
/** So many kinds of serials are looked for at once, and so many orders are looked at again. */
const MOST_KINDS = 500;

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  jobs: Jobs;
  orderDraws: Pick<OrderDraws, 'canDraw'>;
}

/** Orders that wait: for somebody to map a line, anew if it wants too many serials, or for serials. */
export class WaitingOrders {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** The job: queues work on every order of a shop that waits. A repeat queues it again, which changes nothing. */
  async lookAt({ accountId, shopId }: { accountId: string; shopId: string }): Promise<void> {
    const { db, jobs } = this.#deps;
    for (let after: string | null = null; ; ) {
      const { rows } = await sql<Columns<'shop_orders', 'id' | 'external_id'>>`
        select o.id, o.external_id from shop_orders o
        where o.developer_id = ${accountId} and o.connection_id = ${shopId}
          and (${after}::uuid is null or o.id > ${after}::uuid)
          and (exists (select 1 from shop_lines l
              where l.developer_id = ${accountId} and l.order_id = o.id and l.product_ids is null)
            or exists (select 1 from shop_units u
              where u.developer_id = ${accountId} and u.order_id = o.id and u.state = 'waiting')
            or 'too_many' = any(o.reasons))
        order by o.id limit ${PAGE}`.execute(db);
      const works = rows.map(({ external_id }) => ({ accountId, shopId, orderKey: external_id, bulk: true as const }));
      await db.work({ tx: true }, (tx) => jobs.enqueueAll(tx, orderJob, works));
      if (rows.length < PAGE) return;
      after = (rows.at(-1) as { id: string }).id;
    }
  }

  /** Every minute: queues work on orders whose serials can be had now. */
  async refill(): Promise<void> {
    const { db, clock, jobs, orderDraws } = this.#deps;
    const { rows: kinds } = await sql<
      Columns<'shop_units', 'developer_id' | 'product_id'> &
        Columns<'shop_lines', 'batch_tag'> & { source: 'generate' | 'pool' }
    >`
      ${acrossTenants('orders of whoever wait for serials')}
      select distinct u.developer_id, u.product_id, l.source, l.batch_tag
      from shop_units u ${ownJoin('shop_lines as l', 'l.id', 'u.line_id')}
      where u.state = 'waiting' limit ${MOST_KINDS}`.execute(db);
    for (const { developer_id: developerId, product_id: productId, source, batch_tag: batchTag } of kinds) {
      const pool = source === 'pool' ? { batchTag } : null;
      // a reseller's shop takes from the stock that the reseller may draw from
      const isThere =
        (await canSell(db, { developerId, productId, pool, now: clock.now() })) ||
        (await orderDraws.canDraw(db, { resellerId: developerId, productId }));
      if (!isThere) continue;
      const { rows } = await sql<Columns<'shop_orders', 'connection_id' | 'external_id'>>`
        select distinct o.connection_id, o.external_id
        from shop_units u ${ownJoin('shop_lines as l', 'l.id', 'u.line_id')}
          ${ownJoin('shop_orders as o', 'o.id', 'u.order_id')}
        where u.developer_id = ${developerId} and u.product_id = ${productId} and u.state = 'waiting'
          and l.batch_tag is not distinct from ${batchTag} limit ${PAGE}`.execute(db);
      const works = rows.map(({ connection_id, external_id }) => ({
        accountId: developerId,
        shopId: connection_id,
        orderKey: external_id,
        bulk: true as const,
      }));
      await db.work({ tx: true }, (tx) => jobs.enqueueAll(tx, orderJob, works));
    }
  }
}
