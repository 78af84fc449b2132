import { sql } from 'kysely';
import { recordAudit } from '#features/audit';
import type { Principal } from '#platform/access/access.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { connectors } from '../connectors/index.ts';
import { orderJob } from '../queue/order-job.ts';
import type { ShopsHandle } from '../tables.ts';
import type { ShopKind } from './connections.schemas.ts';

export type ShopAction = 'shop_connected' | 'shop_changed' | 'shop_deleted' | 'shop_secret_rotated';

interface Change {
  action: ShopAction;
  at: Date;
  id: string;
  name: string;
}

/** Notes who has changed a shop. */
export const auditShop = (tx: ShopsHandle, { accountId }: Principal, { action, at, id, name }: Change): Promise<void> =>
  recordAudit(tx, accountId, { action, at, detail: name, objectId: id });

/**
 * Has the newest report of each order read again that asks about a refund of which only the amount is known: what opens the API may show
 * what it is of.
 */
export async function readRefundsAgain(tx: ShopsHandle, accountId: string, id: string): Promise<void> {
  await sql`
    update shop_deliveries d set state = 'received', why = null, done_at = null
    where d.developer_id = ${accountId} and d.connection_id = ${id} and d.id = any(array(
      select distinct on (n.order_key) n.id
      from shop_orders o join shop_deliveries n on (n.developer_id, n.connection_id, n.order_key) = (o.developer_id, o.connection_id, o.external_id)
      where o.developer_id = ${accountId} and o.connection_id = ${id} and ${inList('o.received_at')} and o.state = 'attention'
        and 'amount_refund' = any(o.reasons)
        and n.developer_id = ${accountId} and n.state = 'done' and octet_length(n.body) > 0
        and not exists (select 1 from shop_deliveries w where w.developer_id = ${accountId} and w.connection_id = ${id}
          and w.order_key = n.order_key and w.state = 'received')
      order by n.order_key, n.id desc))`.execute(tx);
}

/** Queues work on whatever waits. */
export async function requeueShop(tx: ShopsHandle, jobs: Jobs, accountId: string, id: string): Promise<void> {
  const waiting = await tx
    .selectFrom('shop_deliveries')
    .select('order_key')
    .distinct()
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', id)
    .where('state', '=', 'received')
    .where('order_key', 'is not', null)
    .execute();
  const works = waiting.map(({ order_key }) => ({
    accountId,
    shopId: id,
    orderKey: order_key as string,
    bulk: true as const,
  }));
  await jobs.enqueueAll(tx, orderJob, works);
}

/** The trouble with the shop is fixed. */
export const noTrouble = {
  trouble: null,
  state: sql<'active' | 'off'>`case when state = 'off' then 'off' else 'active' end`,
};

/** The shop has other trouble. */
export const withTrouble = (trouble: string) => ({
  trouble,
  state: sql<'attention' | 'off'>`case when state = 'off' then 'off' else 'attention' end`,
});

/** Nothing opens it, and nothing is opened by it. */
export const closed = {
  state: 'off' as const,
  secret: null,
  previous_secret: null,
  previous_until: null,
  credentials: null,
};

/** Whether a shop of that kind sends what its API was asked for, until that is asked to end it. */
export const needsFarewell = (kind: ShopKind): boolean => connectors[kind].api?.leaving !== undefined;

/** The fields that a form has. */
export const given = <Form extends object>(form: Form) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Form;
