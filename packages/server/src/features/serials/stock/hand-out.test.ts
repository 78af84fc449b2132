import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { plantSeller } from '@tonerow/test-support/sellers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlOf } from '#platform/db/database.ts';
import { tables } from '../tables.ts';
import { type HandOutParts, handOut } from './hand-out.ts';

// A statement's result depends on what others do with a pool at the same moment.

const [developerId, resellerId, partnershipId, productId, batchId, drawId] = [1, 2, 3, 4, 5, 6].map(
  (n) => `0199f000-0000-7000-8000-00000000000${n}`,
) as [string, string, string, string, string, string];
const now = new Date('2026-03-10T12:00:00.000Z');

let database: TestDatabase;
let db: pg.Client;
let others: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  [db, others] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [pg.Client, pg.Client];
  await Promise.all([db.connect(), others.connect()]);
  for (const [id, role] of [
    [developerId, 'developer'],
    [resellerId, 'reseller'],
  ])
    await db.query(
      `insert into users (id, role, email, email_key, password_hash, first_name, last_name, low_serials_threshold, created_at)
       values ($1, $2, $3, $3, '', 'A', 'B', 1, now())`,
      [id, role, `${role}@example.com`],
    );
  await plantSeller(db, resellerId, developerId);
  await db.query(
    `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
     values ($1, $2, $3, 'Shop', 'shop', 'active', now())`,
    [partnershipId, developerId, resellerId],
  );
  await db.query(
    `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
     values ($1, $2, 'Delay', 'delay', '[]', '[]', false, 1000, 1, now(), now())`,
    [productId, developerId],
  );
  await db.query(
    `insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at)
     values ($1, $2, $3, $4, 'generate', 4, now())`,
    [batchId, developerId, productId, partnershipId],
  );
  await db.query(
    `insert into serials (id, developer_id, batch_id, code, code_key)
     select gen_random_uuid(), $1, $2, 'C-' || n, 'C' || n from generate_series(1, 4) n`,
    [developerId, batchId],
  );
});
afterAll(async () => {
  await Promise.all([db.end(), others.end()]);
  await database.drop();
});

const order = { developerId, partnershipId, productId, batchTag: null, now, quantity: 2 };
const parts: HandOutParts = {
  claim: sql`select ${drawId}::uuid as id, 2 as quantity from seen where seen.enough`,
  note: sql`select 1 from taken`,
  locked: 'skip',
  alone: { from: [[], []] },
};
const send = () => handOut(order, parts).execute(tables.in(sqlOf(db)));
const handedOut = async () =>
  (await db.query('select 1 from serials where developer_id = $1 and handed_out_at is not null', [developerId])).rows
    .length;

it('takes none, and answers how many it could lock, where others hold what it claims', async () => {
  await others.query('begin');
  await others.query('select 1 from serials where developer_id = $1 order by id limit 3 for update', [developerId]);
  const { rows } = await send();
  await others.query('rollback');
  expect(rows).toMatchObject([{ wanted: 2, picked: 1, serial_id: null }]);
  expect(await handedOut()).toBe(0);
});

it('takes what it claims when they have let go', async () => {
  const { rows } = await send();
  expect(rows.map(({ draw_id, wanted, picked }) => [draw_id, wanted, picked])).toEqual(Array(2).fill([drawId, 2, 2]));
  expect(await handedOut()).toBe(2);
});

it('claims nothing where the threshold of the product may be crossed', async () => {
  const { rows } = await send();
  expect(rows).toMatchObject([{ wanted: 0, open: 2, plenty: false, serial_id: null }]);
  expect(await handedOut()).toBe(2);
});
