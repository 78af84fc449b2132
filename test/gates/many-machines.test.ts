import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { machineOffenses, OrderOfWrites } from '@tonerow/test-support/machine-sql.ts';
import { refuseTenantOffenses } from '@tonerow/test-support/tenant-gate.ts';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '../../packages/server/src/entities.ts';
import { tables as accounts } from '../../packages/server/src/features/accounts/tables.ts';
import { tables as payouts } from '../../packages/server/src/features/payouts/tables.ts';
import { tables as webhooks } from '../../packages/server/src/features/webhooks/tables.ts';
import type { Database } from '../../packages/server/src/platform/db/database.ts';
import { openDatabase } from '../../packages/server/src/platform/db/open.ts';
import type { Sql } from '../../packages/server/src/platform/db/sql.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';

describe('a statement that many machines refuse or get wrong', () => {
  it.each([
    [
      'compares a row with a snapshot',
      'select 1 from webhook_events where developer_id = $1 and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
    ],
    [
      'asks for the number of its transaction and writes nothing',
      'select pg_current_xact_id(), id from serials where developer_id = $1',
    ],
    [
      'asks all of them for one reseller',
      '/* across tenants: a reseller sells for many */ select 1 from payouts o join partnerships p on p.developer_id = o.developer_id where p.reseller_id = $1',
    ],
    [
      'is built and asks all of them for one reseller',
      'select "p"."id" from "partnerships" as "p" where "p"."reseller_id" = $1 /* across tenants: a reseller sells for many */',
    ],
    ['locks a name beside a row', 'select pg_advisory_xact_lock(1) from serials where developer_id = $1'],
    [
      'writes what every machine has from what one has',
      'update users u set email_verified_at = now() from email_verifications v where v.user_id = u.id and v.token_hash = $1',
    ],
    ['adds to it from there', 'insert into invites (id) select id from sessions where user_id = $1'],
    [
      'fills a table from what it has just added',
      'with made as (insert into redemptions (developer_id, id) values ($1, $2) returning *) insert into ledger_days (developer_id, day) select developer_id, redeemed_at::date from made',
    ],
    [
      'fills it for a tenant that it is given',
      'with made as (update serials set revoked_at = now() where developer_id = $1 returning id), noted as (insert into serial_events (developer_id, id, serial_id) select $1::uuid, $2, id from made) select id from made',
    ],
    [
      'fills it through a part of a part',
      'with made as materialized (select 1 from serials where developer_id = $1), few as (select 1 from made) insert into serial_events (developer_id, id) select $1::uuid, $2 from few',
    ],
    [
      'fills it from a part that two others read',
      'with seen as (select id from serials where developer_id = $1), noted as (insert into serial_events (developer_id, serial_id) select $1::uuid, id from seen) select id from seen',
    ],
    [
      'fills it with ids of chance',
      'with made as (update serials set revoked_at = now() where developer_id = $1 returning id) insert into serial_events (developer_id, id, serial_id) select s.developer_id, gen_random_uuid(), s.id from made join serials s on s.developer_id = $1 and s.id = made.id',
    ],
    [
      'fills it beside a table that every machine has',
      'insert into ledger_days (developer_id, day) select p.developer_id, $2::date from products p join users u on u.id = p.developer_id where p.developer_id = $1',
    ],
    [
      'fills it after a part that every machine has',
      'with account as materialized (select id from users where id = $1) insert into ledger_days (developer_id, day) select r.developer_id, r.redeemed_at::date from redemptions r join account a on a.id = r.developer_id where r.developer_id = $1',
    ],
    [
      'returns what it has made without an alias',
      'insert into serial_events (developer_id, serial_id) select s.developer_id, s.id from serials s where s.developer_id = $1 returning id',
    ],
    [
      'fills it with the first few',
      'with made as (update serials set revoked_at = now() where developer_id = $1 returning id) insert into serial_events (developer_id, serial_id) select s.developer_id, s.id from made join serials s on s.developer_id = $1 and s.id = made.id limit 1',
    ],
    [
      'fills it with a column that is a sub-select',
      'with made as (update serials set revoked_at = now() where developer_id = $1 returning id) insert into serial_events (developer_id, serial_id) select p.developer_id, (select id from made) from products p where p.developer_id = $1 and p.id = $2',
    ],
    [
      'fills it by rows of the tenant that carry another one',
      'with made as (select $1::uuid as developer_id, id from serials where developer_id = $1), noted as (insert into serial_events (developer_id, serial_id) select made.developer_id, made.id from made join serials s on s.developer_id = $1 and s.id = made.id) select id from made',
    ],
    [
      'changes a row by what depends on settings',
      'update serials set recent_downloads = recent_downloads || jsonb_build_object(code, 1) where developer_id = $1 and id = $2',
    ],
    [
      'does so in a part of another',
      'with counted as (update files set parts = to_jsonb(received + 1) where developer_id = $1 and id = $2 returning id) select id from counted',
    ],
    ['moves a moment by an interval', "update users set created_at = created_at - interval '1 day' where id = $1"],
    [
      'moves a moment of its own by as much as a column names',
      "update shop_farewells set next_at = $1::timestamptz + least(power(2, tries), $2) * interval '1 s' where developer_id = $3",
    ],
    [
      'shares what every machine has',
      'select "id" from "users" where "id" = $1 and "deleted_at" is null for key share',
    ],
    ['shares another of these', 'select 1 from plugin_keys where developer_id = $1 and id = $2 for share'],
  ])('is refused when it %s', (_what, sql) => {
    expect(machineOffenses(sql)).not.toEqual([]);
  });

  it.each([
    'select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid',
    'select 1 from webhook_events where developer_id = $1 and xid < $2',
    'insert into webhook_events (developer_id, id, xid) values ($1, $2, pg_current_xact_id()::text::bigint)',
    'select pg_advisory_xact_lock(hashtextextended($1, 1))',
    'select 1 from partnerships p where p.reseller_id = $1 and p.developer_id = any($2::uuid[])',
    'select 1 from partnerships p where p.reseller_id = $1 and /* across tenants: every machine has some of so many */ true',
    '/* across tenants: the hourly pass */ select 1 from partnerships t join users u on u.id = t.reseller_id',
    'update users set email_verified_at = now() where id = $1',
    'delete from saved_views v using users u where u.id = v.user_id and u.deleted_at is not null',
    'with made as (update serials set revoked_at = now() where developer_id = $1 returning id, batch_id) insert into serial_events (developer_id, serial_id) select b.developer_id, made.id from made join batches b on b.developer_id = $1 and b.id = made.batch_id',
    'with sold as not materialized (select p.developer_id, $2::date as day from products p where p.developer_id = $1), days as (insert into ledger_days (developer_id, day) select r.developer_id, r.day from sold r), countries as (insert into ledger_countries (developer_id, day) select r.developer_id, r.day from (select * from sold) r) select 1',
    'with account as materialized (select id from users where id = $1), summed as (insert into ledger_days (developer_id, day) select r.developer_id, r.redeemed_at::date from redemptions r join account a on a.id = r.developer_id where r.developer_id = $1) select 1',
    'with noted as (insert into ledger_days (developer_id, day) select $1::uuid, d from unnest($2::date[]) d) select 1',
    'with made as (insert into trials (developer_id, id) values ($1, $2) returning id) select id from made',
    'update files set parts = jsonb_set(parts, array[$3::text], $4::text::jsonb), updated_at = now() where developer_id = $1 and id = $2',
    "update webhook_endpoints set leased_until = now() + interval '9 s', url = to_char($3::date, 'YYYY') where developer_id = $1 and id = $2",
    "update sessions set expires_at = expires_at + interval '1 day' where user_id = $1",
    'select u.id from users u left join products p on p.developer_id = $1 and p.id = $1 where u.id = $1 for key share of u',
    'select 1 from users where id = $1 for no key update',
    'update shop_farewells set next_at = ($1::timestamptz[])[least(tries + 1, 10)] where developer_id = $2',
    '/* with every machine: sums can wait */ with made as (delete from seat_changes where developer_id = $1 returning 1) insert into seat_sums (developer_id) select $1::uuid from made',
  ])('is sent if it is the same everywhere: %s', (sql) => {
    expect(machineOffenses(sql)).toEqual([]);
  });
});

describe('a transaction', () => {
  const MANY = 'select 1 from payouts where developer_id = any($1::uuid[])';
  const ACROSS = '/* across tenants: housekeeping */ delete from redeem_tickets where expires_at <= $1';
  const ONE = 'select 1 from payouts where developer_id = $1';
  const SHARED = 'update users set deleted_at = now() where id = $1';
  const last = (...statements: string[]) => {
    const order = new OrderOfWrites();
    return statements.map((sql) => order.offense(sql)).at(-1);
  };

  it.each([
    ['many tenants were read', ['begin', MANY, SHARED]],
    ['many tenants were written', ['begin', ACROSS, ONE, SHARED]],
    ['many were read in the second transaction of a connection', ['begin', SHARED, 'commit', 'begin', MANY, SHARED]],
    ['a part of it was undone', ['begin', MANY, 'savepoint a', 'rollback to a', SHARED]],
  ])('may not write what all machines have and refer to after %s', (_what, statements) => {
    expect(last(...statements)).toContain('users, which every machine has, is written after many');
  });

  it.each([
    ['the clock', ['begin', "set local timezone = 'Asia/Tokyo'"]],
    [
      'a limit',
      ['begin', "set local citus.propagate_set_commands = 'local'", 'commit', 'begin', 'set local lock_timeout = 9'],
    ],
    ['one that is called', ['begin', "select set_config('lock_timeout', $1, true)"]],
  ])('may not have settings of its own where it begins alone: %s', (_what, statements) => {
    expect(last(...statements)).toContain('is set on one machine alone');
  });

  it('may have them on every machine', () => {
    const passed = "set local citus.propagate_set_commands = 'local'";
    expect(last('begin', passed, "set local timezone = 'Asia/Tokyo'")).toBeUndefined();
    expect(last('set local lock_timeout = 9')).toBeUndefined();
  });

  it.each([
    ['before it asks many', ['begin', SHARED, MANY, SHARED]],
    ['after one tenant was asked', ['begin', ONE, SHARED]],
    ['in another transaction', ['begin', MANY, 'commit', 'begin', SHARED]],
    ['outside of one', [MANY, SHARED]],
    ['where no tenant refers to it', ['begin', MANY, 'update draws set note = null where id = $1']],
  ])('may write it %s', (_what, statements) => {
    expect(last(...statements)).toBeUndefined();
  });
});

describe('what is sent is held to that', () => {
  refuseTenantOffenses();

  const SOMEBODY = '01890000-0000-7000-8000-000000000001';
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
    const sizes = { api: 4, licensing: 1, bulk: 1 };
    db = openDatabase({
      url: database.url,
      sizes,
      log: createLogger('silent'),
      entities,
      migrationsFolder: 'migrations',
    }).db;
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  // biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses is planted in spite of it
  const own = (of: { in: (sql: Sql) => unknown }, handle: Sql = db) => of.in(handle) as Kysely<any>;

  it.each<[string, RegExp, () => PromiseLike<unknown>]>([
    [
      'a snapshot beside rows',
      /is asked beside webhook_events/,
      () =>
        own(webhooks)
          .selectFrom('webhook_events')
          .select('id')
          .where('developer_id', '=', SOMEBODY)
          .where(sql<boolean>`xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
          .execute(),
    ],
    [
      'rows of a tenant from what a part of the statement found',
      /rows of payout_payments are made from found with the help of every machine/,
      () =>
        sql`with found as materialized (select id from payouts where developer_id = ${SOMEBODY})
          insert into payout_payments (developer_id, id) select ${SOMEBODY}::uuid, id from found`.execute(own(payouts)),
    ],
    [
      'a lock by name beside rows',
      /is asked beside payouts/,
      () => sql`select pg_advisory_xact_lock(1) from payouts where developer_id = ${SOMEBODY}`.execute(own(payouts)),
    ],
    [
      'accounts changed from a table of one machine',
      /users, which every machine has, is written beside email_verifications/,
      () =>
        sql`update users u set email_verified_at = now() from email_verifications v where v.user_id = u.id`.execute(
          own(accounts),
        ),
    ],
    [
      'all machines asked for one reseller',
      /every machine is asked for partnerships of one reseller/,
      () =>
        sql`/* across tenants: a reseller has many */ select 1 from partnerships p where p.reseller_id = ${SOMEBODY}`.execute(
          own(payouts),
        ),
    ],
    [
      'an account changed after many machines were asked',
      /users, which every machine has, is written after many/,
      () =>
        db.work({ tx: true }, async (tx) => {
          await own(payouts, tx)
            .selectFrom('payouts')
            .select('id')
            .where('developer_id', '=', sql`any(${[SOMEBODY]}::uuid[])`)
            .execute();
          await own(accounts, tx).updateTable('users').set({ first_name: 'x' }).where('id', '=', SOMEBODY).execute();
        }),
    ],
  ])('%s', async (_what, refusal, send) => {
    await expect(async () => send()).rejects.toThrow(refusal);
  });

  it('and an account is changed before', async () => {
    await db.work({ tx: true }, async (tx) => {
      await own(accounts, tx).updateTable('users').set({ first_name: 'x' }).where('id', '=', SOMEBODY).execute();
      await own(payouts, tx)
        .selectFrom('payouts')
        .select('id')
        .where('developer_id', '=', sql`any(${[SOMEBODY]}::uuid[])`)
        .execute();
      await own(accounts, tx).updateTable('users').set({ last_name: 'x' }).where('id', '=', SOMEBODY).execute();
    });
  });
});
