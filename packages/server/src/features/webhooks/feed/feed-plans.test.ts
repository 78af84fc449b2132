import { openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import { expect, it } from 'vitest';
import type { Principal } from '#platform/access/access.ts';
import { systemClock } from '#platform/clock.ts';
import { sqlOf } from '#platform/db/database.ts';
import type { Sql } from '#platform/db/sql.ts';
import type { Door } from '#platform/db/work.ts';
import { tables } from '../tables.ts';
import { Feed } from './feed.service.ts';

const ACCOUNT = '00000000-0000-7000-8000-000000000001';

it('a poll for what is rare reads what came since the last one, and not again what it has looked at', async () => {
  const { db, drop } = await openPlanDatabase();
  await db.query(
    `insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
     select $1, gen_random_uuid(), 'serial.redeemed', now(), '{}', '{}', 1 from generate_series(1, 5000)`,
    [ACCOUNT],
  );
  let rows = 0;
  const query: Sql['query'] = async (text, values = []) => {
    if (text.includes('webhook_events')) rows += (await rowsRead(db, text, values)).ofTables;
    return sqlOf(db).query(text, values);
  };
  const feed = new Feed({ db: tables.of({ query } as Door), clock: systemClock });
  const poll = async (after?: string) => {
    rows = 0;
    const filter = { type: 'stock.low', include_personal: false, limit: 50 } as const;
    const page = await feed.read({ accountId: ACCOUNT } as Principal, { ...filter, after });
    return { after: page.next_after as string, rows };
  };
  const first = await poll();
  expect(first.rows).toBeGreaterThan(4999);
  expect(await poll(first.after)).toEqual({ after: first.after, rows: 2 });
  await db.query('analyze webhook_events');
  expect(await poll(first.after)).toEqual({ after: first.after, rows: 2 });
  await drop();
});
