import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { createPartitionedDatabase } from '@tonerow/test-support/partitioned.ts';
import { tenantTables } from '@tonerow/test-support/tables.ts';
import { exemptFromTenantRules } from '@tonerow/test-support/tenant-gate.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '../../packages/server/src/entities.ts';
import { createOrm } from '../../packages/server/src/platform/db/orm.ts';
import { migrate } from '../../packages/server/src/platform/db/schema/migrate.ts';
import { spread } from '../../packages/server/src/spread.ts';

/** The newest migration that no table with partitions can have met. */
const PARTITIONS_SINCE = 'Migration20261127015121_accounts_keep_their_ids';

const newerThanPartitions = async () =>
  (await readdir('migrations'))
    .flatMap((file) => /^(Migration.*)\.ts$/.exec(file)?.[1] ?? [])
    .filter((name) => name > PARTITIONS_SINCE)
    .sort();

let db: TestDatabase;
let orm: ReturnType<typeof createOrm>;
beforeAll(async () => {
  db = await createTestDatabase();
  exemptFromTenantRules(db);
  const log = pino({ level: 'silent' });
  orm = createOrm({ url: db.url, entities, log, migrationsFolder: path.resolve('migrations') });
});
afterAll(async () => {
  await orm.close(true);
  await db.drop();
});

describe('migrations', () => {
  it('make exactly what the entities describe', async () => {
    expect(await orm.migrator.getPending()).toEqual([]);
    expect(await orm.migrator.checkSchema()).toBe(false);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });

  it('go down to nothing and up again', async () => {
    await orm.migrator.down({ to: 0 });
    const left = await db.query("select tablename from pg_tables where schemaname = 'public'");
    expect(left.map((row) => row.tablename)).toEqual(['mikro_orm_migrations']);
    await orm.migrator.up();
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });

  it('note the developers that each reseller sells, or has sold, for', async () => {
    const id = (n: number) => `01990000-0000-7000-8000-00000000002${n}`;
    await orm.migrator.down('Migration20261127032503_reseller_developers');
    for (const [n, role] of [
      [1, 'developer'],
      [2, 'developer'],
      [3, 'reseller'],
    ] as const)
      await db.query(
        `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
         values ($1::uuid, $2, $1::text, $1::text, '', 'A', 'B', now())`,
        [id(n), role],
      );
    const planted = (n: number, developer: number, reseller: number | null, status: string) =>
      db.query(
        `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
         values ($1::uuid, $2, $3, $1::text, $1::text, $4, now())`,
        [id(n), id(developer), reseller && id(reseller), status],
      );
    await planted(4, 1, 3, 'active');
    await planted(5, 2, 3, 'ended');
    await planted(6, 2, null, 'named');
    await orm.migrator.up();
    const noted = await db.query('select reseller_id, developer_id from reseller_developers order by 2');
    expect(noted).toEqual([1, 2].map((n) => ({ reseller_id: id(3), developer_id: id(n) })));
    await orm.migrator.down('Migration20261127032503_reseller_developers');
    await orm.migrator.up();
    expect(await db.query('select 1 from reseller_developers')).toHaveLength(2);
    await db.query('delete from partnerships');
    await db.query('delete from users');
    expect(await db.query('select 1 from reseller_developers')).toEqual([]);
  });

  it('use what tables with and without partitions have, in each version of PostgreSQL', async () => {
    const newer = await newerThanPartitions();
    expect(newer.length).toBeGreaterThan(0);
    const texts = newer.map((name) => [name, readFileSync(`migrations/${name}.ts`, 'utf8')] as const);
    const oneSided = /\bconcurrently\b|\bnot valid\b|\busing index\b|\bfillfactor\b|\bautovacuum_\w+/i;
    expect(texts.flatMap(([name, text]) => (oneSided.exec(text) ? [name] : []))).toEqual([]);
  });

  it('run on tables with partitions, too', async () => {
    const newer = await newerThanPartitions();
    const parts = await createPartitionedDatabase();
    exemptFromTenantRules(parts);
    const log = pino({ level: 'silent' });
    const there = createOrm({ url: parts.url, entities, log, migrationsFolder: path.resolve('migrations') });
    try {
      for (const name of newer.toReversed()) await there.migrator.down(name);
      expect(await migrate(there, { url: parts.url, folder: path.resolve('migrations'), spread })).toEqual(newer);
      expect(await there.schema.getUpdateSchemaSQL()).toBe('');
      const whole = await parts.query(
        "select relname from pg_class where relkind = 'r' and relname = any($1) and relnamespace = 'public'::regnamespace",
        [[...tenantTables]],
      );
      expect(whole).toEqual([]);
    } finally {
      await there.close(true);
      await parts.drop();
    }
  });

  it('give the ledger the codes of the serials that were redeemed before it had them', async () => {
    const developer = '01990000-0000-7000-8000-000000000001';
    const id = (n: number) => `01990000-0000-7000-8000-00000000001${n}`;
    await orm.migrator.down('Migration20261122064400_ledger_code');
    // without foreign keys, the four rows around a redemption can be left out
    await db.query(`alter table redemptions disable trigger all`);
    await db.query(`alter table serials disable trigger all`);
    await db.query(
      `insert into serials (id, developer_id, batch_id, code, code_key, redeemed_at, customer_id)
       values ($1, $2, $1, 'Code-1', 'CODE1', now(), $1)`,
      [id(1), developer],
    );
    await db.query(
      `insert into redemptions (id, developer_id, serial_id, product_id, customer_id, redeemed_at, source, final_price_cents)
       values ($1, $2, $1, $1, $1, now(), 'redeem', 0)`,
      [id(1), developer],
    );
    await db.query(`alter table redemptions enable trigger all`);
    await db.query(`alter table serials enable trigger all`);
    await orm.migrator.up();
    expect(await db.query('select code from redemptions')).toEqual([{ code: 'Code-1' }]);
    await expect(db.query("update redemptions set code = 'Other'")).rejects.toThrow('append-only');
  });

  it('keep what people typed in one form, and give names that look the same one key unless another has it', async () => {
    const developer = '01990000-0000-7000-8000-000000000002';
    const id = (n: number) => `01990000-0000-7000-8000-00000000002${n}`;
    const nfd = 'Jose\u0301';
    await orm.migrator.down('Migration20261126164000_one_form_of_text');
    for (const table of ['products', 'customers']) await db.query(`alter table ${table} disable trigger all`);
    const names = [`${nfd}\u00a0Synth`, 'Echo\u200b', 'Echo', 'Deep  Echo'];
    for (const [n, name] of names.entries())
      await db.query(
        `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, version, created_at, updated_at)
         values ($1, $2, $3, $4, '[]', '[]', false, 1, now(), now())`,
        [id(n), developer, name, name.normalize('NFC').toLowerCase()],
      );
    await db.query(
      `insert into customers (id, developer_id, email, email_key, first_name, created_at)
       values ($1, $2, 'ｊ@example.com', 'ｊ@example.com', $3, now()), ($4, $2, 'k@example.com', 'k@example.com', null, now())`,
      [id(0), developer, nfd, id(1)],
    );
    await orm.migrator.up();
    for (const table of ['products', 'customers']) await db.query(`alter table ${table} enable trigger all`);
    expect(
      await db.query('select name, name_key from products where developer_id = $1 order by id', [developer]),
    ).toEqual([
      { name: 'Jos\u00e9\u00a0Synth', name_key: 'jos\u00e9 synth' },
      { name: 'Echo\u200b', name_key: 'echo\u200b' },
      { name: 'Echo', name_key: 'echo' },
      { name: 'Deep  Echo', name_key: 'deep echo' },
    ]);
    expect(
      await db.query('select email, email_key, first_name from customers where developer_id = $1 order by id', [
        developer,
      ]),
    ).toEqual([
      { email: 'j@example.com', email_key: 'j@example.com', first_name: 'Jos\u00e9' },
      { email: 'k@example.com', email_key: 'k@example.com', first_name: null },
    ]);
  });

  it('give serials that were activated before they had it the moment of their first machine', async () => {
    const developer = '01990000-0000-7000-8000-000000000001';
    const id = (n: number) => `01990000-0000-7000-8000-00000000002${n}`;
    await orm.migrator.down('Migration20261123030259_activated_serials');
    // without foreign keys, the batch and its account can be left out
    for (const table of ['serials', 'activations']) await db.query(`alter table ${table} disable trigger all`);
    for (const n of [1, 2])
      await db.query('insert into serials (id, developer_id, batch_id, code, code_key) values ($1, $2, $4, $3, $3)', [
        id(n),
        developer,
        `FIRST${n}`,
        developer,
      ]);
    for (const [n, day] of [
      [3, '2026-03-02'],
      [4, '2026-03-01'],
    ] as const)
      await db.query(
        `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at, released_at)
         values ($1, $2, $3, $5, $4, $4, $4)`,
        [id(n), developer, id(1), `${day}T00:00:00Z`, day],
      );
    for (const table of ['serials', 'activations']) await db.query(`alter table ${table} enable trigger all`);
    await orm.migrator.up();
    expect(await db.query("select activated_at from serials where code like 'FIRST%' order by code")).toEqual([
      { activated_at: new Date('2026-03-01T00:00:00Z') },
      { activated_at: null },
    ]);
  });

  it('leave a machine that took seats by two spellings of its id the one that it used last', async () => {
    const developer = '01990000-0000-7000-8000-000000000001';
    const id = (n: number) => `01990000-0000-7000-8000-00000000003${n}`;
    await orm.migrator.down('Migration20261126171030_folded_machine_ids');
    for (const table of ['serials', 'activations']) await db.query(`alter table ${table} disable trigger all`);
    await db.query(
      `insert into serials (id, developer_id, batch_id, code, code_key, seats_used) values ($1, $2, $2, 'TWICE', 'TWICE', 3)`,
      [id(1), developer],
    );
    const uuid = '4c4c4544-0039-5a10-8053-b4c04f4e3532';
    for (const [n, machine, seen] of [
      [2, uuid, '2026-03-01'],
      [3, uuid.toUpperCase(), '2026-03-02'],
      [4, 'Studio', '2026-03-01'],
    ] as const)
      await db.query(
        `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
         values ($1, $2, $3, $4, '2026-03-01', $5)`,
        [id(n), developer, id(1), machine, seen],
      );
    for (const table of ['serials', 'activations']) await db.query(`alter table ${table} enable trigger all`);
    await orm.migrator.up();
    expect(
      await db.query('select machine_id from activations where serial_id = $1 and released_at is null order by id', [
        id(1),
      ]),
    ).toEqual([{ machine_id: uuid.toUpperCase() }, { machine_id: 'Studio' }]);
    expect(await db.query('select seats_used from serials where id = $1', [id(1)])).toEqual([{ seats_used: 2 }]);
  });

  it('leave codes out of the events of webhooks that a token made which may not read them', async () => {
    const developer = '01990000-0000-7000-8000-000000000001';
    const id = (n: number) => `01990000-0000-7000-8000-00000000004${n}`;
    await orm.migrator.down('Migration20261126171046_one_kind_of_data');
    for (const table of ['webhook_endpoints', 'audit_events', 'access_tokens', 'users'])
      await db.query(`alter table ${table} disable trigger all`);
    await db.query(
      `insert into users (id, role, email, email_key, first_name, last_name, password_hash, created_at)
       values ($1, 'developer', 'a@example.com', 'a@example.com', 'Ada', 'Row', '', now())`,
      [developer],
    );
    for (const [n, name, scope] of [
      [5, 'reads', 'serials:read'],
      [6, 'hooks', 'webhooks:write'],
    ] as const)
      await db.query(
        `insert into access_tokens (id, user_id, name, token_hash, hint, scopes, created_at)
         values ($1, $2, $3, $4, '', array[$5]::text[], now())`,
        [id(n), developer, name, Buffer.from(name), scope],
      );
    for (const [n, via, name] of [
      [1, 'session', null],
      [2, 'access_token', 'reads'],
      [3, 'access_token', 'hooks'],
      [4, 'access_token', 'deleted since'],
    ] as const) {
      await db.query(
        `insert into webhook_endpoints (id, developer_id, url, description, events, signature, include_personal, secret, enabled, created_at)
         values ($1, $2, 'https://example.com', '', '{*}', 'v1', false, 'x', true, now())`,
        [id(n), developer],
      );
      await db.query(
        `insert into audit_events (account_id, id, at, action, object_id, via, token_name)
         values ($1, gen_random_uuid(), now(), 'webhook_created', $2, $3, $4)`,
        [developer, id(n), via, name],
      );
    }
    for (const table of ['webhook_endpoints', 'audit_events', 'access_tokens', 'users'])
      await db.query(`alter table ${table} enable trigger all`);
    await orm.migrator.up();
    expect(await db.query('select include_codes from webhook_endpoints order by id')).toEqual(
      [true, true, false, false].map((include_codes) => ({ include_codes })),
    );
  });
});
