import { setTimeout as pause } from 'node:timers/promises';
import type { ApiHost } from '@tonerow/test-support/shops/api-host.ts';
import { FastSpringShop } from '@tonerow/test-support/shops/fastspring.ts';
import { type Sent, signedBy } from '@tonerow/test-support/shops/other.ts';
import { Agent, request } from 'undici';
import { BURST } from '../../packages/server/src/features/shops/inbound/bursts.ts';
import type { Bench } from './bench.ts';
import { shoot } from './load.ts';
import { seededCode, seedLedger } from './seeds/seed.ts';
import { median, post, round, signIn, startBareHooks } from './support.ts';

const ORDERS = Number(process.env.BENCH_ORDERS ?? 10_000);
const GROWN = Number(process.env.BENCH_GROWN_ORDERS ?? 1_000_000);
const FEW = Math.min(10_000, GROWN / 10);
const AT_ONCE = 32;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
/** Another account's plugins, one request after the other. */
const PLUGINS = 4;
const PLUGINS_OWNER = 77;
const CALLS = 100;
const PAGES = 40;

/**
 * A burst of orders of a shop against a bare route that verifies and inserts, another account's plugins beside a burst, pages of orders at two
 * sizes, and the call for which a customer waits.
 */
export async function shops(bench: Bench, apis: ApiHost): Promise<void> {
  const { server, db, databaseUrl, say } = bench;
  const { token, developerId } = await signIn(server.url, 'seller');
  await db.query('update users set email_verified_at = now() where id = $1', [developerId]);
  const product = await post(server.url, '/api/products', { name: 'Sold', price: 10 }, token);
  const made = await post(server.url, '/api/shops', { kind: 'other', name: 'Shop' }, token);
  await change(server.url, `/api/shops/${made.shop.id}/items`, token, {
    items: [{ key: 'SOLD', product_ids: [product.id] }],
  });

  say(`signing ${ORDERS} orders`);
  const signed = (address: string) =>
    Array.from({ length: ORDERS }, (_, at) => signedBy(made.secret, address, orderOf(at)));
  const bare = await startBareHooks(databaseUrl, made.secret);
  const took = { ours: 0, bare: 0 };
  const rest = new Agent({ connections: AT_ONCE });
  try {
    const before = signed(`${bare.url}/hook`);
    say('a bare route verifies and inserts them');
    took.bare = await burst(rest, before);
    const ours = signed(made.shop.address);
    say('a shop reports them');
    const begun = performance.now();
    took.ours = await burst(rest, ours);
    say('they are issued');
    await issuedAll(bench, developerId);
    bench.line({
      what: `${ORDERS} orders of a shop at once are answered`,
      ours: `${round(ORDERS / took.ours, 0)} /s`,
      baseline: `${round(ORDERS / took.bare, 0)} /s bare route`,
      ratio: took.bare / took.ours,
      atLeast: 0.6,
    });
    bench.line({
      what: '  and issued',
      ours: `${round((performance.now() - begun) / 1000)} s`,
      ratio: (performance.now() - begun) / 1000,
      atMost: 60,
      unit: ' s',
    });
  } finally {
    await bare.stop();
  }
  say('their emails are sent');
  await emailedAll(bench);
  await pluginsBeside(bench, rest, { secret: made.secret, address: made.shop.address });
  await issuedAll(bench, developerId);
  await emailedAll(bench);

  // a list counts to ten thousand, so that fewer would be another page
  const { rows } = await db.query('select count(*)::int as n from shop_orders where developer_id = $1', [developerId]);
  await grow(bench, developerId, Math.max(0, FEW - rows[0].n));
  const small = await pages(rest, server.url, token);
  say(`${GROWN} orders`);
  await grow(bench, developerId, GROWN);
  const grown = await pages(rest, server.url, token);
  bench.line({
    what: `a page of ${GROWN} orders`,
    ours: `${round(grown, 1)} ms`,
    baseline: `${round(small, 1)} ms of ${Math.max(FEW, rows[0].n)}`,
    ratio: grown / small,
    atMost: 1.5,
  });
  await licenseCalls(bench, apis, { token, productId: product.id });
  await rest.close();
}

/** Waits until everything that the shop has reported is issued. */
async function issuedAll({ db }: Bench, developerId: string): Promise<void> {
  for (;;) {
    const { rows } = await db.query(
      `select (select count(*) from shop_deliveries where developer_id = $1 and state = 'received')
        + (select count(*) from shop_orders where developer_id = $1 and state <> 'issued') as n`,
      [developerId],
    );
    if (Number(rows[0].n) === 0) return;
    await pause(200);
  }
}

/** Waits until nobody's email waits, which would be measured with what follows. */
async function emailedAll({ db }: Bench): Promise<void> {
  for (;;) {
    const { rows } = await db.query(`select 1 from pgboss.job where name = 'mail' and state <= 'active' limit 1`);
    if (rows.length === 0) return;
    await pause(500);
  }
}

/** How long `validate` takes another account's plugins while orders come as fast as they are taken, and are issued, against the same in quiet. */
async function pluginsBeside(
  { server, db, say, line }: Bench,
  dispatcher: Agent,
  shop: { secret: string; address: string },
): Promise<void> {
  const other = await signIn(server.url, 'beside-orders');
  await seedLedger(db, other.developerId, 1000, PLUGINS_OWNER, 1);
  const { plaintext } = await post(server.url, '/api/developer/plugin-keys', {}, other.token);
  const body = JSON.stringify({ license_key: seededCode(7), machine_id: 'machine-1' });
  const measure = () =>
    shoot({
      url: `${server.url}/api/license/v1/validate`,
      headers: { authorization: `Bearer ${plaintext}` },
      next: () => body,
      seconds: SECONDS,
      connections: PLUGINS,
    });
  say('validate in quiet');
  await measure();
  const quiet = await measure();
  say('validate beside a burst of orders');
  let isOver = false;
  let at = 0;
  const sender = async () => {
    while (!isOver) {
      at += 1;
      await send(dispatcher, signedBy(shop.secret, shop.address, orderOf(at, 'beside')));
    }
  };
  const senders = Promise.all(Array.from({ length: AT_ONCE }, sender));
  const beside = await measure();
  isOver = true;
  await senders;
  await pause(BURST.delay * 1000);
  say('validate while they are issued and emailed');
  const after = await measure();
  const add = (what: string, p99: number) =>
    line({
      what,
      ours: `${round(p99, 1)} ms`,
      baseline: `${round(quiet.p99, 1)} ms in quiet`,
      ratio: p99 / quiet.p99,
      atMost: 2,
    });
  add(`validate beside a burst of orders, ${round(at / SECONDS, 0)} /s, 99 of 100`, beside.p99);
  add('  while they are issued and emailed', after.p99);
}

const orderOf = (at: number, name = 'bench') => ({
  type: 'sale.created',
  timestamp: new Date().toISOString(),
  data: {
    order: `${name}-${at}`,
    email: `buyer-${at}@example.com`,
    currency: 'USD',
    paid_at: new Date().toISOString(),
    lines: [{ id: '1', sku: 'SOLD', quantity: 1, paid: '10.00' }],
  },
});

export async function change(url: string, target: string, token: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url + target, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${target} answered ${response.status}: ${await response.text()}`);
}

async function send(dispatcher: Agent, { url, headers, body: bytes }: Sent): Promise<void> {
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: bytes, dispatcher });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}: ${text}`);
}

/** @returns the seconds until all are answered */
export async function burst(dispatcher: Agent, all: readonly Sent[]): Promise<number> {
  let next = 0;
  const begun = performance.now();
  const sender = async () => {
    for (;;) {
      const sent = all[next++];
      if (!sent) return;
      await send(dispatcher, sent);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return (performance.now() - begun) / 1000;
}

/** @returns the milliseconds of a page of orders */
async function pages(dispatcher: Agent, url: string, token: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < PAGES; turn += 1) {
    const begun = performance.now();
    const { body } = await request(`${url}/api/shop-orders?limit=50`, {
      headers: { authorization: `Bearer ${token}` },
      dispatcher,
    });
    await body.text();
    times.push(performance.now() - begun);
  }
  return median(times.slice(5));
}

/** Copies of an order. Statistics are as they were. */
async function grow({ db }: Bench, developerId: string, count: number): Promise<void> {
  const { rows } = await db.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_name = 'shop_orders' and is_generated = 'NEVER' order by ordinal_position`,
  );
  const own: Record<string, string> = {
    // as ours are: the newest has the highest
    id: `('0199cafe-${count > FEW ? 1 : 0}000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
    external_id: `'grown-${count}-' || n`,
    number: `'grown-${count}-' || n`,
  };
  const names = rows.map(({ column_name }) => column_name);
  await db.query(
    `insert into shop_orders (${names.join(', ')})
     select ${names.map((name) => own[name] ?? `o.${name}`).join(', ')}
     from (select * from shop_orders where developer_id = $1 limit 1) o cross join generate_series(1, $2::int) n`,
    [developerId, count],
  );
}

async function licenseCalls(
  { server, line, say }: Bench,
  apis: ApiHost,
  { token, productId }: { token: string; productId: string },
): Promise<void> {
  say('FastSpring asks for codes');
  const made = await post(
    server.url,
    '/api/shops',
    { kind: 'fastspring', name: 'FastSpring', delivery: 'shop' },
    token,
  );
  const store = new FastSpringShop({ address: made.shop.address, secret: made.secret ?? '' }, apis);
  await change(server.url, `/api/shops/${made.shop.id}/items`, token, {
    items: [{ key: 'product:sold', product_ids: [productId] }],
  });
  await change(server.url, `/api/shops/${made.shop.id}/credentials`, token, store.credentials);
  const times: number[] = [];
  for (let at = 0; at < CALLS; at += 1) {
    const begun = performance.now();
    const codes = await store.license({
      name: 'Nina Simone',
      email: `waiting-${at}@example.com`,
      company: '',
      reference: `BENCH-${at}`,
      quantity: '1',
      internalProductName: 'sold',
      subscriptionReference: '',
      test: 'false',
    });
    times.push(performance.now() - begun);
    if (codes?.length !== 1) throw new Error('the license call gave no code');
  }
  const p99 = times.sort((one, other) => one - other)[Math.floor(CALLS * 0.99) - 1] ?? 0;
  line({
    what: 'FastSpring’s license call, the 99th of 100',
    ours: `${round(p99, 0)} ms`,
    ratio: p99,
    atMost: 300,
    unit: ' ms',
  });
}
