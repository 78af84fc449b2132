import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { createPartitionedDatabase, PARTITIONS } from '@tonerow/test-support/partitioned.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlOf } from '../platform/db/database.ts';
import { shapeOf, tenantTables } from '../platform/db/partitions/catalog.ts';
import { settlePartitions } from '../platform/db/partitions/settle.ts';
import { violatedConstraint } from '../platform/errors.ts';
import { spread } from '../spread.ts';

const ADA = '01990000-0000-7000-8000-000000000001';

/** The forms of statements in migrations. All of them have to work on whole tables and on those with partitions. */
const FORMS = [
  'alter table "serials" add column "note" text null, add column "rank" int not null default 0',
  'create index "serials_note_index" on "serials" ("note")',
  'create index "serials_late_index" on "serials" (developer_id, rank desc) where note is not null',
  'alter table "serials" add constraint "serials_rank_check" check (rank >= 0)',
  'alter table "products" add column "slug" varchar(80) null',
  'alter table "products" add constraint "products_slug_unique" unique ("slug", "developer_id")',
  'create unique index "products_short_unique" on "products" (developer_id, lower(slug)) where slug <> \'\'',
  `create table "labels" ("id" uuid not null, "developer_id" uuid not null, "product_id" uuid not null, "name" text not null,
     "at" timestamptz(3) not null default now(), primary key ("id", "developer_id"))`,
  'alter table "labels" add constraint "labels_name_unique" unique ("developer_id", "product_id", "name")',
  `alter table "labels" add constraint "labels_product_id_foreign" foreign key ("product_id", "developer_id")
     references "products" ("id", "developer_id") on update no action on delete cascade`,
  'alter table "labels" add constraint "labels_name_check" check (name <> \'\')',
  `create function "labels_guard"() returns trigger as $$ begin raise exception 'labels are append-only'; end; $$ language plpgsql`,
  'create trigger "labels_append_only" before update on "labels" for each row execute function "labels_guard"()',
  `insert into labels (id, developer_id, product_id, name) select gen_random_uuid(), developer_id, id, 'first' from products`,
  'alter table "serials" add column "label_id" uuid null',
  `alter table "serials" add constraint "serials_label_id_foreign" foreign key ("label_id", "developer_id")
     references "labels" ("id", "developer_id") on update no action`,
  'alter table "serials" alter column "note" set default \'none\', alter column "note" type varchar(200)',
  'alter table "products" rename column "slug" to "address"',
  'alter index "serials_note_index" rename to "serials_remark_index"',
  'update serials set note = code',
  'alter table "serials" alter column "note" set not null',
  'drop index "serials_late_index"',
  'alter table "batches" drop constraint "batches_quantity_check"',
  'alter table "customers" add column "gone" int null',
  'alter table "customers" drop column "gone"',
];

const made: { db: TestDatabase; client: pg.Client }[] = [];
let whole: pg.Client;
let parts: pg.Client;
const prepared = async (db: TestDatabase) => {
  const client = new pg.Client({ connectionString: db.url });
  made.push({ db, client });
  await client.connect();
  await client.query(
    `insert into users (id, role, email, email_key, first_name, last_name, password_hash, created_at)
     values ($1, 'developer', 'a@example.com', 'a@example.com', 'Ada', 'Row', '', now())`,
    [ADA],
  );
  await client.query(
    `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, version, created_at, updated_at)
     values ($1, $1, 'Echo', 'echo', '[]', '[]', false, 1, now(), now())`,
    [ADA],
  );
  for (const form of FORMS) await client.query(form);
  await settlePartitions(client, spread);
  return client;
};

beforeAll(async () => {
  whole = await prepared(await createTestDatabase({ whole: true }));
  parts = await prepared(await createPartitionedDatabase());
}, 180_000);
afterAll(async () => {
  for (const { db, client } of made) {
    await client.end();
    await db.drop();
  }
});

it('gives a new table of accounts its partitions, with the rows that the migration wrote', async () => {
  const tables = await tenantTables(sqlOf(parts), spread);
  expect(tables.find(({ name }) => name === 'labels')).toMatchObject({ partitions: PARTITIONS });
  expect(new Set(tables.map(({ partitions }) => partitions))).toEqual(new Set([PARTITIONS]));
  expect((await parts.query('select name from labels')).rows).toEqual([{ name: 'first' }]);
  // and not where nobody has asked for any
  expect(new Set((await tenantTables(sqlOf(whole), spread)).map(({ partitions }) => partitions))).toEqual(new Set([0]));
});

/** PostgreSQL writes ON ONLY for an index of a whole, and a list of texts in another way once it has read its own. */
const alike = (index: string) =>
  index
    .replace(' ON ONLY ', ' ON ')
    .replaceAll(/\(ARRAY\[([^\]]*)\]\)::text\[\]/g, 'ARRAY[$1]')
    .replaceAll(/\(('[^']*'::character varying)\)::text/g, '$1');

it('makes the same of both forms', async () => {
  const shapes = async (client: pg.Client) => {
    const all = [];
    for (const { name } of await tenantTables(sqlOf(client), spread)) {
      const shape = await shapeOf(sqlOf(client), name);
      const plain = ({ partitioned: _, ...key }: (typeof shape.outward)[number]) => key;
      const indexes = shape.indexes.map((index) => alike(index)).sort();
      all.push({ name, ...shape, indexes, outward: shape.outward.map(plain), inward: shape.inward.map(plain) });
    }
    return all;
  };
  expect(await shapes(parts)).toEqual(await shapes(whole));
});

it('names constraints as they are called, in whatever partition they are broken', async () => {
  for (const client of [whole, parts]) {
    const fault = async (text: string) => violatedConstraint(await client.query(text).catch((error) => error));
    const again = `insert into labels (id, developer_id, product_id, name) values (gen_random_uuid(), '${ADA}', '${ADA}', 'first')`;
    expect(await fault(again)).toBe('labels_name_unique');
    expect(await fault(again.replace("'first'", "''"))).toBe('labels_name_check');
    expect(await fault(again.replace(`'${ADA}', 'first'`, "gen_random_uuid(), 'x'"))).toBe('labels_product_id_foreign');
    await client.query("update products set address = 'Echo'");
    const product = (address: string) =>
      `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, version, created_at, updated_at, address)
       values (gen_random_uuid(), '${ADA}', 'Other', 'other', '[]', '[]', false, 1, now(), now(), '${address}')`;
    expect(await fault(product('Echo'))).toBe('products_slug_unique');
    expect(await fault(product('ECHO'))).toBe('products_short_unique');
    await expect(client.query("update labels set name = 'x'")).rejects.toThrow('append-only');
  }
});

it('follows foreign keys across partitions', async () => {
  for (const client of [whole, parts]) {
    await client.query('delete from products');
    expect((await client.query('select 1 from labels')).rows).toEqual([]);
  }
});
