import {
  addDeveloper,
  keepStatistics,
  nothingSeen,
  openPlanDatabase,
  watched,
} from '@tonerow/test-support/plan-rows.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COUNT_LIMIT } from '#platform/db/statements/count-limit.ts';
import { tables } from '../tables.ts';
import { countOrders, listOrders, type OrderFilter } from './order-lists.queries.ts';

// Two accounts have all orders; those of the second lie behind those of the first, so that a count that reads the table as it
// lies reads the first account's whole.

const OLD = 40_000;
const NEW = 15_000;
const first = '0199f000-0000-7000-8000-000000000001';
const second = '0199f000-0000-7000-8000-000000000002';

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;

async function seed(developerId: string, orders: number, mark: string): Promise<void> {
  await addDeveloper(db, developerId);
  await db.query(
    `with shop as (
       insert into shop_connections (id, developer_id, kind, name, mode, token, state, delivering, on_refund, on_dispute, created_at)
       values (gen_random_uuid(), $1::uuid, 'other', 'Shop', 'live', $1::text, 'active', 'tonerow', 'ask', 'suspend', now()) returning id)
     insert into shop_orders (id, developer_id, connection_id, external_id, number, state, reasons, settled, received_at, updated_at)
     select ('0199cafe-' || $3 || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1::uuid, shop.id, n, n, 'issued', '{}', '{}', now(), now()
     from shop, generate_series(1, $2::int) n`,
    [developerId, orders, mark],
  );
}
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await keepStatistics(db, ['shop_orders']);
  await seed(first, OLD, '0001');
  await db.query('analyze');
  await seed(second, NEW, '0002');
});
afterAll(() => database.drop());

const filter = (of: Partial<OrderFilter> = {}): OrderFilter => ({
  ...{ accountId: second, search: undefined, shopId: undefined, serialId: undefined, chosen: [], ...of },
});

describe.each(['before', 'after'])('%s the statistics know of the second account', (when) => {
  beforeAll(async () => {
    if (when === 'after') await db.query('analyze');
  });

  it.each([
    ['all', filter(), COUNT_LIMIT + 1],
    ['those of a state', filter({ chosen: [sql<boolean>`o.state = 'issued'`] }), COUNT_LIMIT + 1],
    ['none', filter({ chosen: [sql<boolean>`o.state = 'refunded'`] }), NEW],
  ])('counts %s without a look at the orders of the first', async (_, of, most) => {
    const seen = nothingSeen();
    await countOrders(tables.of(watched(db, seen)), of);
    expect(seen.ofTables).toBeLessThanOrEqual(most);
  });

  it('reads no more than a page for a page', async () => {
    const seen = nothingSeen();
    await listOrders(tables.of(watched(db, seen)), filter(), { after: null, limit: 51 });
    expect(seen.ofTables).toBeLessThan(51 * 4);
  });
});
