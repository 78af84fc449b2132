import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnServer } from '@tonerow/test-support/process.ts';
import { ApiHost } from '@tonerow/test-support/shops/api-host.ts';
import { type StandIn, standInKinds, standIns } from '@tonerow/test-support/shops/stand-ins.ts';
import { besideServer } from '../../packages/server/src/beside-server.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { developer, PASSWORD } from './cast.ts';
import { ownPort } from './own-port.ts';
import { runShopStory } from './shop.ts';

/**
 * A server of its own with stand-ins for shops, which are connected, bought from and refunded by `curl`, and a developer whose shop has a month of
 * orders. All of it lives in a temporary folder, and until Ctrl-C.
 */
export async function demoOfShops(): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-shops-'));
  const host = await new ApiHost().start();
  const port = await ownPort();
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
    await besideServer(
      async (deps) => {
        await deps.jobs.start({ work: false });
        await runShopStory({ deps, clock, end }).finally(() => deps.jobs.stop(1000));
      },
      { overrides: { clock } },
    );
    await stop();
    server = await start('api,worker');
    process.stdout.write(textOf({ url: server.url, shopsUrl: shops.url }));
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

/**
 * Acts in the shops, by calls: `POST /KIND/connect`, `/KIND/buy`, `/KIND/refund` and, for FastSpring, `/KIND/license`.
 */
async function startShops(host: ApiHost): Promise<{ url: string; stop(): void }> {
  const open = new Map<string, StandIn>();
  const act = async (path: string, given: URLSearchParams): Promise<string> => {
    const [, kind = '', what] = path.split('/');
    const needed = (name: string): string => {
      const value = given.get(name);
      if (!value) throw new Error(`Give its ${name}.`);
      return value;
    };
    const found = standInKinds.find((each) => each === kind);
    if (!found) throw new Error(`There are ${standInKinds.join(', ')}.`);
    if (what === 'connect') {
      const secret = found === 'gumroad' ? '' : needed('secret');
      const made: StandIn = standIns[found]({ address: needed('address'), secret }, host);
      open.set(kind, made);
      const opens = Object.entries(made.opens).map(([name, value]) => `${name} ${value}`);
      const sold = [made.sells, made.alsoSells].filter((each) => each !== undefined).join(' and ');
      return `Connected. It sells ${sold}. Its API opens with: ${opens.join(', ')}`;
    }
    const shop = open.get(kind);
    if (!shop) throw new Error('Connect it first.');
    if (what === 'license' && shop.license)
      return (await shop.license(needed('order')))?.join('\n') ?? 'It prints no code.';
    if (what !== 'buy' && what !== 'refund') throw new Error('There are connect, buy and refund.');
    const bought = what === 'buy' ? await shop.buy(needed('email'), given.has('both')) : null;
    const status = bought ? bought.status : await shop.refund(needed('order'), given.get('only') ?? undefined);
    const done = bought ? `Order ${bought.order}` : 'Refunded';
    if (status === undefined) return `${done}. It reports that to nobody before its API is opened.`;
    return status === 200 ? `${done}.` : `${done}. Its address answered ${status}.`;
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

const textOf = ({ url, shopsUrl }: Record<'url' | 'shopsUrl', string>) => `
  ${url}/login

  Developer  ${developer.email}    ${PASSWORD}

  Connect another shop of one of these kinds: ${standInKinds.join(', ')}.
  Where the secret is the shop’s own, make one up. The shops do what they are told to, with KIND for woocommerce, for example; the first
  of these shows what the shop sells, to be mapped, and what opens its API:

  curl -X POST '${shopsUrl}/KIND/connect' -G --data-urlencode address=ADDRESS --data-urlencode secret=SECRET
  curl -X POST '${shopsUrl}/KIND/buy?email=nina@example.com'
  curl -X POST '${shopsUrl}/KIND/refund' -G --data-urlencode order=ORDER

  woocommerce, shopify and fastspring sell two things: add “&both” to buy both, and --data-urlencode only=ITEM to refund one of them.
  curl -X POST '${shopsUrl}/fastspring/license' -G --data-urlencode order=ORDER is FastSpring’s license call.

  Ctrl-C ends all of it.

`;
