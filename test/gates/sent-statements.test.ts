import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { refuseTenantOffenses } from '@tonerow/test-support/tenant-gate.ts';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '../../packages/server/src/entities.ts';
import { tables as customers } from '../../packages/server/src/features/customers/tables.ts';
import { tables as licensing } from '../../packages/server/src/features/licensing/tables.ts';
import { tables as products } from '../../packages/server/src/features/products/tables.ts';
import type { Database } from '../../packages/server/src/platform/db/database.ts';
import type { Handle } from '../../packages/server/src/platform/db/handle.ts';
import { openDatabase } from '../../packages/server/src/platform/db/open.ts';
import type { Sql } from '../../packages/server/src/platform/db/sql.ts';
import { copyOut } from '../../packages/server/src/platform/db/statements/copy.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';

// The rules judge what is sent, in whatever form it was written. Each form has a planted fault here, and is refused.

refuseTenantOffenses();

const SOMEBODY = '01890000-0000-7000-8000-000000000001';
const SOMETHING = '01890000-0000-7000-8000-000000000002';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const sizes = { api: 4, licensing: 1, bulk: 1 };
  const log = createLogger('silent');
  db = openDatabase({ url: database.url, sizes, log, entities, migrationsFolder: 'migrations' }).db;
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses is planted in spite of it
type Anything = Kysely<any>;

/** The feature's own handle, as code that ignores the compiler can use it. */
const planted = () => products.of(db) as unknown as Anything;
const named = (build: (begin: Anything, id: string) => unknown) =>
  (products.named('planted', build as never) as (sql: Sql, id: string) => Promise<unknown>)(db, SOMETHING);

const LOOSE = /products \(\w+\) without developer_id/;

describe('a statement without its tenant is refused as', () => {
  it.each<[string, () => PromiseLike<unknown>]>([
    ['text', () => db.query('select 1 from products where id = $1', [SOMETHING])],
    [
      'text in a transaction',
      () => db.work({ tx: true }, (tx) => tx.query('select 1 from products where id = $1', [SOMETHING])),
    ],
    ['a template', () => sql`select 1 from products where id = ${SOMETHING}`.execute(planted())],
    ['a select', () => planted().selectFrom('products').select('id').where('id', '=', SOMETHING).execute()],
    ['an update', () => planted().updateTable('products').set({ name: 'x' }).where('id', '=', SOMETHING).execute()],
    ['a delete', () => planted().deleteFrom('products').where('id', '=', SOMETHING).execute()],
    [
      'a part of a WITH',
      () =>
        planted()
          .with('gone', (begin) => begin.deleteFrom('products').where('id', '=', SOMETHING).returning('id'))
          .selectFrom('gone')
          .selectAll()
          .execute(),
    ],
    [
      'a query within a query',
      () =>
        planted()
          .selectFrom('file_versions as v')
          .select((eb) => eb.selectFrom('products').select('name').where('id', '=', SOMETHING).as('name'))
          .where('v.developer_id', '=', SOMEBODY)
          .execute(),
    ],
    [
      'a statement that is compiled once',
      () => named((begin, id) => begin.selectFrom('products').select('id').where('id', '=', id)),
    ],
    [
      'one in a transaction',
      () =>
        db.work({ tx: true }, (tx) =>
          (products.in(tx) as unknown as Anything)
            .selectFrom('products')
            .select('id')
            .where('id', '=', SOMETHING)
            .execute(),
        ),
    ],
    [
      'a COPY',
      () =>
        db.work({ tx: true }, async ({ client }) => {
          const text = products.text(planted().selectFrom('products').select('id').where('id', '=', SOMETHING));
          copyOut(client as pg.ClientBase, `copy (${text}) to stdout`, 'products');
        }),
    ],
  ])('%s', async (_form, send) => {
    await expect(async () => send()).rejects.toThrow(LOOSE);
  });
});

describe('a join is refused', () => {
  const ofTwo = (begin: Anything) =>
    begin
      .selectFrom('products as p')
      .innerJoin('file_versions as v', 'v.product_id', 'p.id')
      .select('v.id')
      .where('p.developer_id', '=', SOMEBODY);

  it('without its tenant', async () => {
    await expect(ofTwo(planted()).execute()).rejects.toThrow(/file_versions \(v\) without developer_id/);
  });

  it('of two tenants', async () => {
    const of = ofTwo(planted()).where('v.developer_id', '=', SOMETHING);
    await expect(of.execute()).rejects.toThrow(/are not joined by developer_id/);
  });
});

describe('a statement about a table of another feature is refused as', () => {
  const row = { developer_id: SOMEBODY, id: SOMETHING };
  it.each<[string, RegExp, () => PromiseLike<unknown>]>([
    [
      'a template',
      /products updates serials/,
      () => sql`update serials set notes = '' where developer_id = ${SOMEBODY}`.execute(planted()),
    ],
    ['a select', /products reads sessions/, () => planted().selectFrom('sessions').select('id').execute()],
    ['an insert', /products adds serials/, () => planted().insertInto('serials').values(row).execute()],
    [
      'an insert that updates',
      /products updates customers/,
      () =>
        planted()
          .insertInto('customers')
          .values(row)
          .onConflict((on) => on.columns(['developer_id', 'id']).doUpdateSet({ email: 'x' }))
          .execute(),
    ],
    [
      'an update',
      /products updates serials/,
      () => planted().updateTable('serials').set({ seats_used: 0 }).where('developer_id', '=', SOMEBODY).execute(),
    ],
    [
      'a delete',
      /products deletes batches/,
      () => planted().deleteFrom('batches').where('developer_id', '=', SOMEBODY).execute(),
    ],
    [
      'a part of a WITH',
      /products deletes activations/,
      () =>
        planted()
          .with('gone', (begin) => begin.deleteFrom('activations').where('developer_id', '=', SOMEBODY).returning('id'))
          .selectFrom('gone')
          .selectAll()
          .execute(),
    ],
    [
      'a query within a query',
      /products reads webhook_keys/,
      () =>
        planted()
          .selectFrom('products as p')
          .select((eb) =>
            eb.selectFrom('webhook_keys as k').select('k.id').where('k.developer_id', '=', SOMEBODY).as('key'),
          )
          .where('p.developer_id', '=', SOMEBODY)
          .execute(),
    ],
  ])('%s', async (_form, refused, send) => {
    await expect(async () => send()).rejects.toThrow(refused);
  });
});

it('a table whose SQL the owner lends is read and added to by its borrowers, and by nobody else', async () => {
  const own = customers.of(db) as unknown as Anything;
  const read = (begin: Anything) =>
    begin.selectFrom('webhook_events').select('id').where('developer_id', '=', SOMEBODY).execute();
  expect(await read(own)).toEqual([]);
  await expect(read(planted())).rejects.toThrow(/products reads webhook_events/);
  const gone = own.deleteFrom('webhook_events').where('developer_id', '=', SOMEBODY).execute();
  await expect(gone).rejects.toThrow(/customers deletes webhook_events/);
});

it('a table that only the row around it binds is refused where its feature holds to that', async () => {
  const correlated = planted()
    .selectFrom('products as p')
    .select((eb) =>
      eb
        .selectFrom('ledger_days as d')
        .select(eb.fn.countAll().as('n'))
        .whereRef('d.developer_id', '=', 'p.developer_id')
        .whereRef('d.product_id', '=', 'p.id')
        .as('n'),
    )
    .where('p.developer_id', '=', SOMEBODY);
  await expect(correlated.execute()).rejects.toThrow(/ledger_days \(d\) is not bound by a value/);
});

describe('a change of a seat that the sums of seats do not learn of is refused as', () => {
  const own = () => licensing.of(db) as unknown as Anything;
  const theirs = (begin: Anything) => begin.updateTable('activations').where('developer_id', '=', SOMEBODY);
  it.each<[string, () => PromiseLike<unknown>]>([
    ['one given', () => own().insertInto('activations').values({ developer_id: SOMEBODY, id: SOMETHING }).execute()],
    ['one freed', () => theirs(own()).set({ released_at: new Date() }).execute()],
    [
      'one seen',
      () => sql`update activations set last_seen_at = now() where developer_id = ${SOMEBODY}`.execute(own()),
    ],
    ['one that ends', () => own().deleteFrom('activations').where('developer_id', '=', SOMEBODY).execute()],
  ])('%s', async (_what, send) => {
    await expect(async () => send()).rejects.toThrow(/a change of a seat without seat_changes/);
  });

  it('and is sent where nothing of it is counted', async () => {
    await theirs(own()).set({ leased_until: null }).execute();
    await own()
      .deleteFrom('activations')
      .where('developer_id', '=', SOMEBODY)
      .where('released_at', 'is not', null)
      .execute();
  });
});

describe('a notice is refused beside a table of a tenant as', () => {
  const notice = sql`pg_notify('tonerow_live', '{}')`;
  const change = sql`update products set name = name where developer_id = ${SOMEBODY} and id = ${SOMETHING} returning id`;
  it.each<[string, (handle: Anything) => PromiseLike<unknown>]>([
    [
      'a part of a WITH',
      (own) => sql`with gone as (${change}), told as (select ${notice} from gone) select 1 from told`.execute(own),
    ],
    ['what a change returns', (own) => sql`${change}, ${notice}`.execute(own)],
    [
      'a column of a select',
      (own) =>
        own
          .selectFrom('products')
          .select(sql`pg_notify('a', '')`.as('n'))
          .where('developer_id', '=', SOMEBODY)
          .execute(),
    ],
    [
      'the query of an insert',
      (own) =>
        sql`insert into products (developer_id, id) select ${SOMEBODY}, gen_random_uuid() from ${notice} n`.execute(
          own,
        ),
    ],
  ])('%s', async (_form, send) => {
    await expect(async () => send(planted())).rejects.toThrow(/pg_notify beside products/);
  });

  it('and is sent alone', async () => {
    const alone = sql<{ n: number }>`select count(${notice}) as n from unnest(array['pg_notify in products']) notice`;
    expect((await alone.execute(planted())).rows).toHaveLength(1);
  });
});

describe('what keeps the rules is sent', () => {
  const found = (handle: Handle<'products'>) =>
    handle
      .selectFrom('products')
      .select('id')
      .where('developer_id', '=', SOMEBODY)
      .where('id', '=', SOMETHING)
      .execute();

  it('on connections of its own, and in a transaction of its own', async () => {
    const own = products.of(db);
    expect(await found(own)).toEqual([]);
    expect(await own.work({ tx: true, named: true }, found)).toEqual([]);
  });
});
