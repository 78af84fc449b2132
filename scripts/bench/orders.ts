import { setTimeout as pause } from 'node:timers/promises';
import { signedBy } from '@tonerow/test-support/shops/other.ts';
import { Agent } from 'undici';
import type { Bench } from './bench.ts';
import { burst, change } from './shops.ts';
import { post, round, signIn, signUp } from './support.ts';

const ORDERS = Number(process.env.BENCH_ORDERS ?? 10_000);
const AT_ONCE = 32;
const KINDS = (process.env.BENCH_KINDS ?? 'second,stock,test,reseller').split(',');

interface Seller {
  token: string;
  accountId: string;
  productId: string;
  mode?: 'test';
  item?: object;
}

/** Bursts of orders that are not the common case, each of an account of its own: how long it takes until all are issued. */
export async function orders(bench: Bench): Promise<void> {
  const kinds: Record<string, [string, () => Promise<Seller>]> = {
    second: ['of an account with a second shop', () => withSecond(bench)],
    stock: ['from stock, by a tag', () => fromStock(bench)],
    test: ['for tests', async () => ({ ...(await developer(bench, 'tests')), mode: 'test' })],
    reseller: ['of a reseller', () => reseller(bench)],
  };
  const dispatcher = new Agent({ connections: AT_ONCE });
  for (const kind of KINDS) {
    const [what, begin] = kinds[kind] as [string, () => Promise<Seller>];
    await measure(bench, dispatcher, what, await begin());
  }
  await dispatcher.close();
}

async function measure({ server, db, say, line }: Bench, dispatcher: Agent, what: string, seller: Seller) {
  const { token, accountId, productId, mode = 'live', item } = seller;
  const made = await post(server.url, '/api/shops', { kind: 'other', name: 'Burst', mode }, token);
  await change(server.url, `/api/shops/${made.shop.id}/items`, token, {
    items: [{ key: 'SOLD', product_ids: [productId], ...item }],
  });
  say(`${ORDERS} orders ${what}`);
  const all = Array.from({ length: ORDERS }, (_, at) =>
    signedBy(made.secret, made.shop.address, {
      type: 'sale.created',
      timestamp: new Date().toISOString(),
      data: {
        order: `burst-${at}`,
        email: `buyer-${at}@example.com`,
        currency: 'USD',
        test: mode === 'test',
        paid_at: new Date().toISOString(),
        lines: [{ id: '1', sku: 'SOLD', quantity: 1, paid: '10.00' }],
      },
    }),
  );
  const begun = performance.now();
  const answered = await burst(dispatcher, all);
  for (let seconds = 0; ; ) {
    const { rows } = await db.query(
      `select (select count(*) from shop_deliveries where developer_id = $1 and state = 'received')
        + (select count(*) from shop_orders where developer_id = $1 and state <> 'issued') as n`,
      [accountId],
    );
    if (Number(rows[0].n) === 0) break;
    seconds = (performance.now() - begun) / 1000;
    if (seconds > 400) {
      say(`${rows[0].n} are left after ${round(seconds, 0)} s`);
      break;
    }
    await pause(500);
  }
  const took = (performance.now() - begun) / 1000;
  say(`answered after ${round(answered)} s, issued after ${round(took)} s`);
  line({ what: `${ORDERS} orders ${what} are issued`, ours: `${round(took)} s`, ratio: took, atMost: 60, unit: ' s' });
}

async function developer({ server, db }: Bench, name: string): Promise<Seller> {
  const { token, developerId: accountId } = await signIn(server.url, name);
  await db.query('update users set email_verified_at = now() where id = $1', [accountId]);
  const product = await post(server.url, '/api/products', { name: 'Sold', price: 10 }, token);
  return { token, accountId, productId: product.id };
}

async function withSecond(bench: Bench): Promise<Seller> {
  const seller = await developer(bench, 'two-shops');
  await post(bench.server.url, '/api/shops', { kind: 'other', name: 'Beside' }, seller.token);
  return seller;
}

async function fromStock(bench: Bench): Promise<Seller> {
  const seller = await developer(bench, 'stocked');
  await stocked(bench, seller, { batch_tag: 'box' });
  return { ...seller, item: { source: 'pool', batch_tag: 'box' } };
}

async function reseller(bench: Bench): Promise<Seller> {
  const { server, db } = bench;
  const maker = await developer(bench, 'maker');
  const shop = await signUp(server.url, 'reseller', 'bursting-shop');
  await db.query('update users set email_verified_at = now() where id = $1', [shop.id]);
  const { partnershipId } = await partners(bench, maker, { token: shop.token, email: 'bursting-shop@example.com' });
  await stocked(bench, maker, { reseller_id: partnershipId });
  return { token: shop.token, accountId: shop.id, productId: maker.productId };
}

async function partners(
  { server }: Bench,
  maker: Seller,
  reseller: { token: string; email: string },
): Promise<{ partnershipId: string }> {
  const invited = await post(
    server.url,
    '/api/reseller/developer/invite-reseller',
    { email: reseller.email, commission_rate: 20 },
    maker.token,
  );
  const accepted = await post(
    server.url,
    '/api/reseller/invites/respond',
    { invite_id: invited.invites[0].id, response: 'accept' },
    reseller.token,
  );
  return { partnershipId: accepted.partnership_id };
}

/** Serials for all orders. */
async function stocked({ server }: Bench, { token, productId }: Seller, fields: object): Promise<void> {
  await post(server.url, '/api/serials/generate', { product_id: productId, quantity: ORDERS, ...fields }, token);
}
