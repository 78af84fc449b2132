import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { tenantTables } from '@tonerow/test-support/tables.ts';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationsFolder } from '../base.ts';
import { schema } from '../doctor/database-checks.ts';
import { entities } from '../entities.ts';
import { createOrm } from '../platform/db/orm.ts';
import { analyzePartitioned } from '../platform/db/partitions/statistics.ts';
import { unfinished } from '../platform/db/partitions/unfinished.ts';
import { migrate } from '../platform/db/schema/migrate.ts';
import { spread } from '../spread.ts';
import { type Partitioning, partition } from './index.ts';

/** Each table is made as many times, which is what a run on small tables takes its time for. */
const BY = 2;
/** Tables during whose turn everybody works, as far as no run that was killed came to them before. */
const BUSY = new Set(['batches', 'serials', 'redemptions', 'activations']);
const run = (db: { url: string }, more: Partial<Partitioning> = {}) =>
  partition({ url: db.url, by: BY, report: () => undefined, agreed: () => true, ...more });

/** The state of every table of accounts: how many partitions, and how many rows. */
async function stateOf(db: Pick<TestDatabase, 'query'>) {
  const rows = await db.query<{ name: string; partitions: number }>(
    `select c.relname as name, (select count(*)::int from pg_inherits i where i.inhparent = c.oid) as partitions
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = any($1) order by 1`,
    [[...tenantTables]],
  );
  const count = async (name: string) => (await db.query<{ n: number }>(`select count(*)::int as n from ${name}`))[0]?.n;
  return {
    partitions: Object.fromEntries(rows.map(({ name, partitions }) => [name, partitions])),
    rows: Object.fromEntries(await Promise.all(rows.map(async ({ name }) => [name, await count(name)] as const))),
  };
}
/** The rows without those that a job sums up meanwhile. */
const lasting = (rows: Record<string, number | undefined>) =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => !/^seat_|^machine_sums$/.test(name)));
const all = (partitions: number) => Object.fromEntries([...tenantTables].sort().map((name) => [name, partitions]));

/** Before PostgreSQL 18 a key to a table with partitions has others below it, which stay unvalidated until its own table has some. */
const leftBehind = (db: Pick<TestDatabase, 'query'>, { underway = false } = {}) =>
  db.query(
    `select tgname as what from pg_trigger where tgname like 'partitioning%'
     union all select nspname from pg_namespace where nspname = 'partitioning'
     union all select conname from pg_constraint where not convalidated and (conparentid = 0 or not $1)`,
    [underway],
  );

/** A developer, a reseller, a musician and their plugin, who know each other. */
async function cast(server: TestServer) {
  const pair: Partners = await makePartners(server);
  const { token } = pair.developer;
  const product = await makeProduct(server, token, { max_activations: 50 });
  const serials = await makeSerials(server, token, product.id, { quantity: 300 });
  await makeSerials(server, token, product.id, { quantity: 40, reseller_id: pair.partnershipId });
  const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body.plaintext as string;
  const plugin = (verb: string, body: object) => call(server, 'POST', `/api/license/v1/${verb}`, { token: key, body });
  const [first] = serials;
  const code = first?.code as string;
  const activate = (machine_id: string) =>
    plugin('activate', { license_key: code, machine_id, email: 'nina@example.com' });
  expect((await activate('studio')).body.status).toBe('active');
  return { pair, token, product, serials, code, plugin, activate };
}

describe('beside a server that serves', () => {
  let server: TestServer;
  let db: TestDatabase;
  let scene: Awaited<ReturnType<typeof cast>>;

  beforeAll(async () => {
    db = await createTestDatabase({ whole: true });
    server = await startServer({ db });
    scene = await cast(server);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await db.drop();
  });

  it.each(['noting', 'copied', 'indexed', 'current', 'swapped', 'validated'] as const)(
    'by a kill after “%s”, one table or the other is whole, and the next run continues',
    async (last) => {
      const before = await stateOf(db);
      // the next table that others refer to and that refers to others
      const victim = ['partnerships', 'products', 'customers', 'batches', 'serials', 'activations', 'redemptions'].find(
        (name) => before.partitions[name] === 0,
      );
      const killed = run(db, {
        onStep: async (table, step) => {
          if (table !== victim || step !== last) return;
          await db.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tonerow-partition'",
          );
        },
      });
      await expect(killed).rejects.toThrow(/terminat|connection/i);
      const after = await stateOf(db);
      expect(lasting(after.rows)).toEqual(lasting(before.rows));
      expect(after.partitions[victim as string]).toBe(['swapped', 'validated'].includes(last) ? BY : 0);
      expect(await unfinished(db)).toEqual(['swapped', 'validated'].includes(last) ? [] : [victim]);
      // and what was written with the trigger still there is there as well
      const person = await signUp(server);
      await makeSerials(server, person.token, (await makeProduct(server, person.token)).id);
    },
    120_000,
  );

  it('it names the command that continues, and refuses another number', async () => {
    await expect(run(db, { by: 7 })).rejects.toThrow(
      'A run was not finished. Go on with: tonerow-server partition --by 2',
    );
    const stopping = new AbortController();
    const stopped = run(db, {
      signal: stopping.signal,
      onStep: async (table, step) => {
        expect(await unfinished(db)).toEqual([]);
        if (step === 'copied' && table !== '') stopping.abort();
      },
    });
    await expect(stopped).rejects.toThrow('Stopped. Go on with: tonerow-server partition --by 2');
    expect((await leftBehind(db, { underway: true })).filter(({ what }) => what !== 'partitioning')).toEqual([]);
    expect(await schema(db)).toMatchObject({ state: 'warning', todo: 'Go on with: tonerow-server partition --by 2' });
  });

  const reported: string[] = [];
  const answers: { what: string; status: number }[] = [];

  it('a run comes to its end: it gives every table of accounts its partitions, loses no row and fails no call', async () => {
    const before = await stateOf(db);
    const { token, product, serials, plugin, activate } = scene;
    const left = serials.slice(1).values();
    const doing = {
      validate: () => plugin('validate', { license_key: scene.code, machine_id: 'studio' }),
      seat: async () => {
        await activate('stage');
        return plugin('deactivate', { license_key: scene.code, machine_id: 'stage' });
      },
      redeem: () =>
        redeem(server, left.next().value?.code as string, `${randomUUID()}@example.com`, scene.pair.developer.id),
      generate: () =>
        call(server, 'POST', '/api/serials/generate', { token, body: { product_id: product.id, quantity: 5 } }),
      remove: async () => {
        const { id } = await makeProduct(server, token);
        return call(server, 'DELETE', `/api/products/${id}`, { token });
      },
    };
    const everything = () =>
      Promise.all(
        Object.entries(doing).map(async ([what, work]) => {
          answers.push({ what, status: (await work()).status });
        }),
      );
    const open: Promise<unknown>[] = [];
    const busy = new Set<string>();
    await run(db, {
      report: (words) => reported.push(words),
      onStep: async (table, step) => {
        if (!BUSY.has(table)) return;
        busy.add(table);
        const done = everything();
        open.push(done);
        // rows written before these steps are in the copy or noted, and those of the last moment only noted; the rest meets the exchange
        if (step === 'noting' || step === 'copied' || (table === 'serials' && step === 'current')) await done;
      },
    });
    await Promise.all(open);
    const { partitions, rows } = await stateOf(db);
    expect(partitions).toEqual(all(BY));
    for (const [name, n] of Object.entries(before.rows))
      expect.soft(rows[name], name).toBeGreaterThanOrEqual(name === 'redeem_tickets' ? 0 : (n as number));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect([...busy]).toEqual(expect.arrayContaining(['serials', 'redemptions', 'activations']));
    expect(answers.length).toBe(busy.size * 6 * 5);
    expect(await leftBehind(db)).toEqual([]);
  }, 300_000);

  it('counts what was written meanwhile once', async () => {
    const done = answers.filter(({ what, status }) => what === 'redeem' && status === 200);
    const [figures] = await db.query(
      `select (select count(*)::int from redemptions) as redeemed, (select count(*)::int from serials where redeemed_at is not null) as sold,
         (select sum(redemptions)::int from usage_months) as billed,
         (select count(*)::int from activations where released_at is null) as held, (select sum(seats_used)::int from serials) as used`,
    );
    expect(figures).toMatchObject({ redeemed: figures?.sold, billed: figures?.sold, held: figures?.used });
    expect(figures?.sold).toBeGreaterThanOrEqual(Math.min(done.length, 2));
  });

  it('shows beforehand how long it takes and what it needs, and afterwards what it did', async () => {
    expect(reported[0]).toMatch(/^\d+ tables with .* get 2 partitions each\. The largest, \w+, has /);
    for (const words of [/time {4}about \d+ (seconds|minutes)/, /disk {4}.* at most at one time; .* free/, / of WAL/])
      expect(reported[0]).toMatch(words);
    expect(reported.find((line) => /^\d+ of \d+ {2}serials: .* rows, /.test(line))).toMatch(
      /rows?, (\d\.\d s|\d+ seconds), locked for \d+\.\d s\n$/,
    );
    expect(reported.at(-1)).toMatch(/^Every table of accounts has 2 partitions, after /);
    expect(await schema(db)).toMatchObject({ state: 'ok', found: expect.stringContaining('with 2 partitions') });
  });

  it('leaves what the entities describe, by the names that they have', async () => {
    const orm = createOrm({ url: server.db.url, entities, log: pino({ level: 'silent' }), migrationsFolder });
    try {
      expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
    } finally {
      await orm.close(true);
    }
    const misnamed = await db.query(
      `select i.oid::regclass::text as index from pg_inherits h join pg_class i on i.oid = h.inhrelid
         join pg_class p on p.oid = h.inhparent
       where i.relkind = 'i' and i.relname <> p.relname and p.relnamespace = 'public'::regnamespace`,
    );
    expect(misnamed).toEqual([]);
  });

  it('works for all sides as before', async () => {
    const { pair, token, product, code, plugin, activate } = scene;
    // names of constraints: 409, not 500
    const taken = await call(server, 'POST', '/api/products', { token, body: { name: product.name, price: 1 } });
    expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);
    const renamed = await call(server, 'PUT', `/api/products/${product.id}`, { token, body: { price: 59 } });
    expect(renamed.status).toBe(200);
    // a musician, twice with one address
    const [one, two] = await makeSerials(server, token, product.id, { quantity: 2 });
    for (const serial of [one, two])
      expect((await redeem(server, serial?.code as string, 'ella@example.com', pair.developer.id)).status).toBe(200);
    const customers = await call(server, 'GET', '/api/customers/list?search=ella@example.com', { token });
    expect([customers.status, customers.body.total]).toEqual([200, 1]);
    // the plugin
    expect((await activate('second')).body.status).toBe('active');
    expect((await plugin('validate', { license_key: code, machine_id: 'second' })).body.status).toBe('active');
    expect((await plugin('deactivate', { license_key: code, machine_id: 'second' })).body.ok).toBe(true);
    // the reseller
    const drawn = await call(server, 'POST', '/api/reseller/serials/draw', {
      token: pair.reseller.token,
      body: { product_id: product.id, reference: randomUUID(), quantity: 2 },
    });
    expect([drawn.status, drawn.body.serials?.length]).toEqual([201, 2]);
    const list = await call(server, 'GET', '/api/reseller/developers', { token: pair.reseller.token });
    expect([list.status, list.body.length]).toEqual([200, 1]);
    // deleted rows are gone everywhere
    const other = await makeProduct(server, token);
    await makeSerials(server, token, other.id);
    expect((await call(server, 'DELETE', `/api/products/${other.id}`, { token })).status).toBeLessThan(300);
  });

  it('is refused where it is done, and with another number', async () => {
    await expect(run(db)).rejects.toThrow(`All ${tenantTables.size} tables have 2 partitions already.`);
    await expect(run(db, { by: 5 })).rejects.toThrow('There are tables with 2 partitions, and they keep that number.');
  });

  it('keeps statistics of the whole table, which autovacuum does not', async () => {
    const client = new pg.Client({ connectionString: server.db.url });
    await client.connect();
    try {
      const sql = {
        query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
          (await client.query<Row>(text, values as unknown[])).rows,
      };
      await analyzePartitioned(sql);
      await makeSerials(server, scene.token, scene.product.id, { quantity: 1000 });
      await client.query('analyze partition_0.serials; analyze partition_1.serials');
      expect(await analyzePartitioned(sql)).toContain('serials');
      const { rows } = await client.query(
        "select reltuples::int as n from pg_class where oid = 'public.serials'::regclass",
      );
      const { rows: there } = await client.query('select count(*)::int as n from serials');
      expect(rows).toEqual(there);
    } finally {
      await client.end();
    }
  });
});

describe('refused', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase({ whole: true });
  });
  afterAll(() => db.drop());
  const untouched = async () => expect((await stateOf(db)).partitions).toEqual(all(0));

  it('where the disk is short', async () => {
    await expect(run(db, { free: async () => 1000 })).rejects.toThrow(
      /has 1 kB free, and .* are needed at one time\. Make room first\./,
    );
    await untouched();
  });

  it('unless somebody agrees', async () => {
    expect(await run(db, { agreed: () => false })).toBe(false);
    await untouched();
  });

  it('where the role may not', async () => {
    const role = `guest_${process.pid}`;
    await db.query(`create role ${role} login password 'guest'`);
    await db.query(`grant select on all tables in schema public to ${role}`);
    const url = new URL(db.url);
    [url.username, url.password] = [role, 'guest'];
    try {
      await expect(run({ url: url.toString() })).rejects.toThrow(`The role ${role} does not own the tables.`);
    } finally {
      await db.query(`drop owned by ${role}`);
      await db.query(`drop role ${role}`);
    }
    await untouched();
  });

  it('where views or publications of others are on the tables', async () => {
    await db.query('create view my_report as select code from serials');
    await expect(run(db)).rejects.toThrow('Views of yours read the tables: my_report.');
    await db.query('drop view my_report');
    await db.query('create publication mine for table products');
    await expect(run(db)).rejects.toThrow('Publications name the tables: mine.');
    await db.query('drop publication mine');
    await untouched();
  });

  it('with more partitions than there are locks for', async () => {
    const [locks] = await db.query<{ room: number }>(
      "select current_setting('max_connections')::int * current_setting('max_locks_per_transaction')::int as room",
    );
    const by = Math.ceil((locks?.room ?? 0) / tenantTables.size);
    await expect(run(db, { by })).rejects.toThrow('Raise max_locks_per_transaction, or take fewer partitions.');
  });

  it('while another run, or a migration, is at it', async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const first = run(db, {
      agreed: async () => {
        asked.resolve();
        await gate.promise;
        return false;
      },
    });
    await asked.promise;
    await expect(run(db)).rejects.toThrow('The schema is being changed by another command');
    const [newest] = await db.query<{ id: number; name: string }>(
      'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning id, name',
    );
    const orm = createOrm({ url: db.url, entities, log: pino({ level: 'silent' }), migrationsFolder });
    await expect(migrate(orm, { url: db.url, folder: migrationsFolder, spread })).rejects.toThrow(
      'tonerow-server partition is at work on this database',
    );
    await orm.close(true);
    gate.resolve();
    await first;
    await expect(run(db)).rejects.toThrow('The schema is not current. Run tonerow-server migrate first.');
    await db.query('insert into mikro_orm_migrations (id, name) values ($1, $2)', [newest?.id, newest?.name]);
  });
});
