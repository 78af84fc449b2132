import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { freePort, type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { deliver, OtherShop } from '@tonerow/test-support/shops/other.ts';
import pg from 'pg';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A process is killed (SIGKILL) amid the work on orders, at each table that it writes. Each step has an account of its own: there, a statement
// waits for a lock of this file's, which is given back once the process is dead. The next process on the same database goes on from what is
// there, and is killed at what is left. In the end all is counted anew.

const GLIDES = { id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' };
const PRISMS = { id: '2', sku: 'PRISM', quantity: 3, paid: '87.00' };
/** One that is settled together with others, and one that takes from a batch and is settled alone. */
const orders = { simple: [GLIDES], mixed: [GLIDES, PRISMS] };

const steps = [
  { at: 'what came is kept', table: 'shop_deliveries', event: 'insert', of: 'mixed' },
  { at: 'its job is over', table: 'pgboss.job_common', event: 'update', of: 'simple' },
  { at: 'its order is made', table: 'shop_orders', event: 'insert', of: 'simple' },
  { at: 'its units are wanted', table: 'shop_units', event: 'insert', of: 'mixed' },
  { at: 'its serials are issued', table: 'serials', event: 'insert', of: 'simple' },
  { at: 'its serials are taken from a batch', table: 'serials', event: 'update', of: 'mixed' },
  { at: 'its email is queued', table: 'mails', event: 'insert', of: 'mixed' },
  { at: 'what came is done', table: 'shop_deliveries', event: 'update', of: 'simple' },
  { at: 'its refund is in the ledger', table: 'ledger_adjustments', event: 'insert', of: 'mixed' },
] as const;
const [KEPT, OVER, REFUNDED] = [0, 1, steps.length - 1];
/** Connections of the work in a process: so many steps are waited at together. */
const TOGETHER = 4;

interface Scene {
  ada: Person;
  shop: OtherShop;
  email: string;
  wanted: number;
}

let db: TestDatabase;
let holder: pg.Client;
let server: ServerProcess;
let port: number;
let scenes: Scene[];

async function start(): Promise<void> {
  const kept = server ? { dataDir: server.dataDir } : {};
  server = await spawnServer({ env: { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET }, port, ...kept });
}

async function sceneOf({ of }: (typeof steps)[number], n: number): Promise<Scene> {
  const ada = await signUpVerified({ url: server.url, db });
  const api = async (method: string, path: string, body: object) => {
    const answer = await call(server, method, path, { token: ada.token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const [glide, prism] = [await makeProduct(server, ada.token), await makeProduct(server, ada.token)];
  await makeSerials(server, ada.token, prism.id, { batch_tag: 'shop', quantity: 5 });
  const { shop, secret } = await api('POST', '/api/shops', { kind: 'other', name: 'My shop', on_refund: 'revoke' });
  await api('PUT', `/api/shops/${shop.id}/items`, {
    items: [
      { key: 'GLIDE', product_ids: [glide.id] },
      { key: 'PRISM', product_ids: [prism.id], source: 'pool', batch_tag: 'shop' },
    ],
  });
  const wanted = orders[of].reduce((sum, { quantity }) => sum + quantity, 0);
  return { ada, shop: new OtherShop({ address: shop.address, secret }), email: `k${n}@example.com`, wanted };
}

beforeAll(async () => {
  [db, port] = [await createTestDatabase(), await freePort()];
  await start();
  scenes = await Promise.all(steps.map(sceneOf));
  holder = new pg.Client(db.url);
  await holder.connect();
  await holder.query('select pg_advisory_lock(4711, n) from generate_series(0, $1) n', [steps.length]);
  for (const [n, { table, event }] of steps.entries()) {
    const { id } = sceneOfStep(n).ada;
    await db.query(`create function held_${n}() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(4711, ${n}); return new; end $$`);
    const mine =
      n === OVER
        ? `new.name = 'shop-order' and new.state = 'completed' and new.data->>'accountId' = '${id}'`
        : `new.developer_id = '${id}'`;
    await db.query(
      `create trigger held_${n} before ${event} on ${table} for each row when (${mine}) execute function held_${n}()`,
    );
  }
});
afterAll(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended();
  await holder?.end();
  await db.drop();
});

const sceneOfStep = (n: number) => scenes[n] as Scene;
const saleOf = (n: number) =>
  sceneOfStep(n).shop.event('sale.created', {
    order: `k${n}`,
    email: sceneOfStep(n).email,
    currency: 'USD',
    paid_at: new Date().toISOString(),
    lines: orders[(steps[n] as (typeof steps)[number]).of],
  });

/** The steps at which somebody waits. */
async function heldAt(): Promise<number[]> {
  const rows = await db.query<{ n: number }>(
    `select distinct objid::int as n from pg_locks where locktype = 'advisory' and classid = 4711 and not granted
       and database = (select oid from pg_database where datname = current_database()) order by 1`,
  );
  return rows.map(({ n }) => n);
}

/** Kills the process at these steps, at which none waits again, and goes on with another. */
async function killAt(held: readonly number[]): Promise<void> {
  server.child.kill('SIGKILL');
  await server.ended();
  for (const n of held) await holder.query('select pg_advisory_unlock(4711, $1)', [n]);
  const left = () =>
    db.query("select 1 from pg_stat_activity where datname = current_database() and application_name like 'tonerow%'");
  await expect.poll(left, { interval: 20, timeout: 40_000 }).toEqual([]);
  // as after the time that a job may take; one of an order is taken over by itself
  await db.query(
    "update pgboss.job set state = 'retry', start_after = now() where state = 'active' and name <> 'shop-order'",
  );
  await start();
}

const stateOf = async (n: number): Promise<string | undefined> =>
  (
    await db.query<{ state: string }>('select state from shop_orders where developer_id = $1', [sceneOfStep(n).ada.id])
  )[0]?.state;
const unitsOf = (n: number) =>
  db.query<{ code: string }>('select code from shop_units where developer_id = $1 and code is not null', [
    sceneOfStep(n).ada.id,
  ]);

it('a process that is killed at any step of an order gives everything once, and the books agree', async () => {
  // one is sold and redeemed before, to be refunded
  expect(await deliver(saleOf(REFUNDED))).toBe(200);
  await expect.poll(() => stateOf(REFUNDED), { timeout: 40_000 }).toBe('issued');
  const { ada, email, shop } = sceneOfStep(REFUNDED);
  for (const { code } of await unitsOf(REFUNDED)) expect((await redeem(server, code, email, ada.id)).status).toBe(200);

  // while that job is not over, no other one begins
  expect(await deliver(saleOf(OVER))).toBe(200);
  await expect.poll(heldAt, { interval: 20, timeout: 40_000 }).toEqual([OVER]);
  const others = steps.flatMap((_, n) => (n === KEPT || n === OVER || n === REFUNDED ? [] : [saleOf(n)]));
  const refund = shop.event('sale.refunded', { order: `k${REFUNDED}`, refund: 'r1' });
  for (const sent of [...others, refund]) expect(await deliver(sent)).toBe(200);
  const lost = saleOf(KEPT);
  const unanswered = deliver(lost).catch(() => 'not answered');
  await expect.poll(heldAt, { interval: 20, timeout: 40_000 }).toEqual([KEPT, OVER]);
  await killAt([KEPT, OVER]);
  expect(await unanswered).toBe('not answered');

  const ahead = new Set([...steps.keys()].filter((n) => n !== KEPT && n !== OVER));
  while (ahead.size > 0) {
    const most = Math.min(TOGETHER, ahead.size);
    await expect.poll(async () => (await heldAt()).length, { interval: 20, timeout: 40_000 }).toBe(most);
    const held = await heldAt();
    await killAt(held);
    for (const n of held) ahead.delete(n);
  }
  // its shop sends again what was not answered
  expect(await deliver(lost)).toBe(200);

  const all = [...steps.keys()];
  const become = all.map((n) => (n === REFUNDED ? 'refunded' : 'issued'));
  await expect.poll(() => Promise.all(all.map(stateOf)), { timeout: 40_000 }).toEqual(become);
  const open = () =>
    db.query("select name from pgboss.job where name in ('shop-order', 'mail') and state <> 'completed'");
  await expect.poll(open, { timeout: 20_000 }).toEqual([]);

  // nothing of it trusts what the server sums up
  const codes = await Promise.all(all.map(async (n) => (await unitsOf(n)).map(({ code }) => code)));
  expect(codes.map(({ length }) => length)).toEqual(scenes.map(({ wanted }) => wanted));
  expect(new Set(codes.flat()).size).toBe(codes.flat().length);
  const folder = path.join(server.dataDir, 'outbox');
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name))));
  const emails = await Promise.all(files.map((file) => PostalMime.parse(file)));
  for (const [n, scene] of scenes.entries()) {
    const texts = emails.filter(({ to }) => to?.[0]?.address === scene.email).flatMap(({ text }) => text ?? []);
    const itsCodes = texts.filter((text) => codes[n]?.every((code) => text.includes(code)));
    // others of the redeemed one came as well; none of any other with codes that are nobody's
    const others = n === REFUNDED ? [] : texts.filter((text) => !itsCodes.includes(text));
    expect([steps[n]?.at, itsCodes.length, others]).toEqual([steps[n]?.at, 1, []]);
    await expectOrderBook({ db }, scene.ada.id);
  }
  const [book] = (await call(server, 'GET', '/api/analytics/shops', { token: ada.token })).body.shops;
  expect(book).toMatchObject({ orders: 1, redemptions: 5, paid: 185, revenue: 0, refunded: 185 });
}, 180_000);
