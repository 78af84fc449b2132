import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnServer } from '@tonerow/test-support/process.ts';
import { ApiHost } from '@tonerow/test-support/shops/api-host.ts';
import { FastSpringShop, fastspringOrder } from '@tonerow/test-support/shops/fastspring.ts';
import { ShopifyShop, shopifyOrder, shopifyRefund } from '@tonerow/test-support/shops/shopify.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { withRunningServer } from '../../packages/server/src/running-server.ts';
import { developer, PASSWORD } from './cast.ts';
import { tellOfShop } from './shop.ts';

/** A shop that somebody has connected, and what can be done in it. Each sells one thing, as `GLIDE`, for 49 dollars. */
interface StandIn {
  /** @returns the number of the order. */
  buy(email: string): Promise<string>;
  refund(order: string): Promise<unknown>;
}

interface Connected {
  address: string;
  secret: string;
}

const PRICE = '49.00';

const kinds: Record<string, (connected: Connected, host: ApiHost) => StandIn> = {
  woocommerce(connected, host) {
    const woo = new WooCommerceShop(connected);
    woo.serve(host);
    return {
      async buy(email) {
        const order = woo.place(email, [{ sku: 'GLIDE', quantity: 1, total: PRICE }]);
        woo.pay(order, 'completed');
        await woo.tell(order, 'order.created');
        return String(order.id);
      },
      async refund(number) {
        const order = woo.orders.get(Number(number));
        if (!order) throw new Error('There is no such order.');
        const [line] = order.line_items;
        woo.refund(order, PRICE, line ? [{ id: line.id, quantity: 1, total: PRICE }] : []);
        return woo.tell(order);
      },
    };
  },
  shopify({ address, secret }) {
    const shopify = new ShopifyShop({ address, key: secret });
    let next = Math.floor(Date.now() / 1000);
    return {
      async buy(email) {
        next += 1;
        const at = new Date().toISOString();
        await shopify.tell('orders/paid', { ...shopifyOrder(next, 0), email, processed_at: at, updated_at: at });
        return `#${next}`;
      },
      refund: (number) => {
        const id = Number(number.replace('#', ''));
        const refund = shopifyRefund(Date.now(), id, { created_at: new Date().toISOString() });
        return shopify.tell('refunds/create', refund);
      },
    };
  },
  fastspring(connected, host) {
    const fastspring = new FastSpringShop(connected, host);
    let next = 0;
    return {
      async buy(email) {
        next += 1;
        const reference = `ACM-${Date.now()}-${next}`;
        await fastspring.tell(fastspring.event('order.completed', fastspringOrder(reference, email)));
        return reference;
      },
      refund: (reference) => {
        const items = [{ product: 'glide', quantity: 1, subtotal: 50, refundType: 'Full Refund' }];
        const back = {
          return: `r-${reference}`,
          original: { id: `id-of-${reference}`, reference },
          items,
          currency: 'EUR',
        };
        return fastspring.tell(fastspring.event('return.created', back));
      },
    };
  },
};

/**
 * A server of its own with stand-ins for shops, which are connected, bought from and refunded by `curl`, and a developer whose shop has a month of
 * orders. All of it lives in a temporary folder, and until Ctrl-C.
 */
export async function demoOfShops(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-shops-'));
  const host = await new ApiHost().start();
  const port = Number(process.env.PORT ?? 4000);
  const clock = new TestClock(new Date());
  const end = clock.now();
  const start = (role: string) => spawnServer({ dataDir, port, env: { ...host.env, TONEROW_ROLE: role } });
  // without its jobs, which live today
  let server = await start('api');
  const stop = async () => {
    server.child.kill('SIGTERM');
    await server.ended();
  };
  const shops = await startShops(host);
  try {
    // never a database that somebody else uses
    Object.assign(process.env, host.env, { TONEROW_DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: '' });
    await withRunningServer(
      async (deps) => {
        await deps.jobs.start({ work: false });
        await tellOfShop({ deps, clock, end }).finally(() => deps.jobs.stop(1000));
      },
      { overrides: { clock } },
    );
    await stop();
    server = await start('api,worker');
    process.stdout.write(textOf({ url: server.url, shopsUrl: shops.url, apiUrl: host.url }));
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
  } finally {
    shops.stop();
    await stop();
    host.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** What is done in the shops, by calls: `POST /KIND/connect`, `/KIND/buy` and `/KIND/refund`. */
async function startShops(host: ApiHost): Promise<{ url: string; stop(): void }> {
  const open = new Map<string, StandIn>();
  const act = async (path: string, given: URLSearchParams): Promise<string> => {
    const [, kind = '', what] = path.split('/');
    const needed = (name: string): string => {
      const value = given.get(name);
      if (!value) throw new Error(`Give its ${name}.`);
      return value;
    };
    const make = kinds[kind];
    if (!make) throw new Error(`There are ${Object.keys(kinds).join(', ')}.`);
    if (what === 'connect') {
      open.set(kind, make({ address: needed('address'), secret: needed('secret') }, host));
      return 'Connected.';
    }
    const shop = open.get(kind);
    if (!shop) throw new Error('Connect it first.');
    if (what === 'buy') return `Order ${await shop.buy(needed('email'))}`;
    if (what !== 'refund') throw new Error('There are connect, buy and refund.');
    await shop.refund(needed('order'));
    return 'Refunded.';
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    act(pathname, searchParams).then(
      (done) => response.end(`${done}\n`),
      (error: Error) => response.writeHead(400).end(`${error.message}\n`),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const textOf = ({ url, shopsUrl, apiUrl }: Record<'url' | 'shopsUrl' | 'apiUrl', string>) => `
  ${url}/login

  Developer  ${developer.email}    ${PASSWORD}

  Connect another shop of one of these kinds: ${Object.keys(kinds).join(', ')}. What it sells is
  called GLIDE, or product:glide at FastSpring. WooCommerce’s API is at ${apiUrl}/woocommerce,
  and opened with ck_0123456789 and cs_0123456789. The shops do what they are told to, with KIND for woocommerce, for example:

  curl -X POST '${shopsUrl}/KIND/connect' -G --data-urlencode address=ADDRESS --data-urlencode secret=SECRET
  curl -X POST '${shopsUrl}/KIND/buy?email=nina@example.com'
  curl -X POST '${shopsUrl}/KIND/refund' -G --data-urlencode order=ORDER

  Ctrl-C ends all of it.

`;
