import { rm } from 'node:fs/promises';
import { type Answer, call, makeProduct, makeSerials, PASSWORD, redeem, signUp } from '@tonerow/test-support/http.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { spawnServer } from '@tonerow/test-support/process.ts';
import { execa } from 'execa';
import pg from 'pg';
import { embeddedUrl } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts';

/** The facts in the data of a release, for the tests of later ones. */
export interface StoryFacts {
  password: string;
  developer: { id: string; email: string; token: string };
  reseller: { email: string };
  product: { id: string; name: string };
  pluginKey: string;
  /** Activated on `studio`, with one seat. */
  activated: string;
  /** Redeemed by this customer. */
  redeemed: { code: string; email: string };
  /** Never used. */
  unused: string;
  /** The trust by which CI jobs sign in. */
  trust: { name: string };
  webhook: { url: string };
  /** Sold by the reseller. */
  drawn: { reference: string };
  /** How many serials there are. */
  serials: number;
}

async function ok(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, text } = await answer;
  if (status >= 400) throw new Error(`${status} ${text}`);
  return body;
}

/** Starts the server as it was built on an empty folder, fills it a little by its own API, and makes a backup of it. */
export async function backupOfStory(target: string): Promise<StoryFacts> {
  const server = await spawnServer();
  try {
    const facts = await playStory(server);
    // the command never replaces one
    await rm(target, { force: true });
    await execa(process.execPath, ['packages/server/dist/bin.js', 'backup', target], {
      env: { TONEROW_DATA_DIR: server.dataDir, DATABASE_URL: undefined },
    });
    return facts;
  } finally {
    server.child.kill('SIGTERM');
    await server.ended();
    await rm(server.dataDir, { recursive: true, force: true });
  }
}

async function playStory(server: { url: string; dataDir: string }): Promise<StoryFacts> {
  const developer = await signUp(server);
  const reseller = await signUp(server, 'reseller');
  const client = new pg.Client({ connectionString: (await embeddedUrl(server.dataDir)) as string });
  await client.connect();
  const db = { query: async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows };
  try {
    await db.query('update users set email_verified_at = now()');
    await setPlan(db as Parameters<typeof setPlan>[0], { plan: 'pro', accountId: developer.id });
    const { token } = developer;
    const as = (path: string, body: object, who = token) => ok(call(server, 'POST', path, { token: who, body }));
    const product = await makeProduct(server, token, {
      name: 'Prism Delay',
      short_desc: 'Ünïcode "quoted", with a\ttab',
      max_activations: 1,
    });
    const serials = await makeSerials(server, token, product.id, { quantity: 20, batch_tag: 'Spring' });
    const [activated, redeemed, refunded, unused] = serials.map(({ code }) => code) as [string, string, string, string];
    const pluginKey = (await as('/api/developer/plugin-keys', { label: 'Prism Delay 1.x' })).plaintext;
    await as(
      '/api/license/v1/activate',
      { license_key: activated, machine_id: 'studio', email: 'nina@example.com' },
      pluginKey,
    );
    const ella = 'ella@example.com';
    await ok(redeem(server, redeemed, ella));
    await ok(redeem(server, refunded, 'ray@example.com'));
    const gone = serials.find(({ code }) => code === refunded) as { id: string };
    await as(`/api/serials/${gone.id}/refund`, { reason: 'Bought twice', amount: 1 });
    await as('/api/views', {
      list: 'redeemed',
      name: 'Refused',
      filter: { status: 'download_limit' },
      hidden_columns: [],
    });
    const access = await as('/api/account/tokens', { name: 'ci', scopes: ['products:read', 'serials:read'] });
    const trust = await as('/api/developer/trusts', {
      name: 'Prism Delay releases',
      issuer: 'https://token.actions.githubusercontent.com',
      repository_id: '123456789',
      branch: 'main',
      scopes: ['serials:write'],
    });
    const hook = await as('/api/webhooks', { url: 'https://shop.example.com/tonerow', events: ['key.rotated'] });
    const partnershipId = await connectPartners(
      { ...server, db } as Parameters<typeof connectPartners>[0],
      developer,
      reseller,
    );
    const stock = await makeSerials(server, token, product.id, { quantity: 5, reseller_id: partnershipId });
    const drawn = { reference: 'order-1043' };
    await as('/api/reseller/serials/draw', { product_id: product.id, ...drawn }, reseller.token);
    return {
      password: PASSWORD,
      developer: { id: developer.id, email: developer.email, token: access.token },
      reseller: { email: reseller.email },
      product: { id: product.id, name: product.name },
      pluginKey,
      activated,
      redeemed: { code: redeemed, email: ella },
      unused,
      trust: { name: trust.name },
      webhook: { url: hook.webhook.url },
      drawn,
      serials: serials.length + stock.length,
    };
  } finally {
    await client.end();
  }
}
