import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, makeProduct, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { serverCommand } from '@tonerow/test-support/server-command.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Secrets } from '#platform/secrets/secrets.ts';
import { readConfig } from '../config.ts';
import { createDeps, type Deps } from '../deps.ts';
import { secretsIn } from './secrets-file.ts';
import { resealAll } from './secrets-rotation.ts';

const NEW = 'another secret for the tests that is the newer of the two';
let server: TestServer;
let ada: Person;

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  ada = await signUpVerified(server);
});
afterAll(() => server.stop());

async function withSecrets<T>(secrets: string[], work: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig({ DATABASE_URL: server.db.url, TONEROW_SECRET: secrets.join(',') });
  const deps = await createDeps({ ...config, databaseUrl: server.db.url, secrets });
  try {
    return await work(deps);
  } finally {
    await deps.close();
  }
}
const counts = (results: { table: string; column: string; resealed: number }[]) =>
  Object.fromEntries(results.map(({ table, column, resealed }) => [`${table}.${column}`, resealed]));
const lost = (results: { unreadable: number }[]) => results.reduce((sum, { unreadable }) => sum + unreadable, 0);

it('seals everything again with the newest secret, and then the old one is not needed', async () => {
  const product = await makeProduct(server, ada.token);
  const { plaintext, key } = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} }))
    .body;
  await call(server, 'POST', `/api/products/${product.id}/expansion-secret/rotate`, { token: ada.token });
  const rsa = (await call(server, 'GET', `/api/products/${product.id}/rsa`, { token: ada.token })).body;
  for (const signature of ['v1', 'v1a']) {
    const body = { url: 'http://127.0.0.1:9000/hooks', events: ['*'], signature };
    const { webhook } = (await call(server, 'POST', '/api/webhooks', { token: ada.token, body })).body;
    await call(server, 'POST', `/api/webhooks/${webhook.id}/rotate-secret`, { token: ada.token, body: {} });
  }
  const { shop } = (
    await call(server, 'POST', '/api/shops', { token: ada.token, body: { kind: 'other', name: 'Fair' } })
  ).body;
  await call(server, 'POST', `/api/shops/${shop.id}/rotate-secret`, { token: ada.token, body: {} });
  await withSecrets([TEST_SECRET], async (deps) => {
    const sealed = deps.secrets.seal('a secret for codes', 'two-factor');
    await server.db.query('update users set two_factor_secret = $2 where id = $1', [ada.id, sealed]);
    // more than one batch
    await server.db.query(
      `insert into signing_keys (id, developer_id, public_key, private_key, created_at, retired_at)
       select gen_random_uuid(), $1, '\\x00', $2, now(), now() from generate_series(1, 1201)`,
      [ada.id, deps.secrets.seal('der', 'signing-key')],
    );
  });
  const wanted = {
    'plugin_keys.sealed': 1,
    'signing_keys.private_key': 1201,
    'product_keys.private_key': 1,
    'expansion_secrets.secret': 1,
    'users.two_factor_secret': 1,
    'webhook_endpoints.secret': 2,
    'webhook_endpoints.previous_secret': 1,
    'webhook_keys.private_key': 2,
    'shop_connections.secret': 1,
    'shop_connections.previous_secret': 1,
    'shop_connections.credentials': 0,
    'shop_farewells.credentials': 0,
  };
  await withSecrets([NEW, TEST_SECRET], async ({ db, secrets }) => {
    expect(counts(await resealAll(db, secrets))).toEqual(wanted);
    expect(counts(await resealAll(db, secrets))).toEqual(
      Object.fromEntries(Object.keys(wanted).map((place) => [place, 0])),
    );
  });
  await withSecrets([NEW], async ({ db, secrets, pluginKeys, productKeys }) => {
    expect(await pluginKeys.reveal({ accountId: ada.id } as never, key.id, '127.0.0.1')).toBe(plaintext);
    expect((await productKeys.find(ada.id, product.id))?.modulus).toBe(rsa.n);
    const [account] = await db.query<{ s: Buffer }>('select two_factor_secret as s from users where id = $1', [ada.id]);
    expect(secrets.open(account?.s as Buffer, 'two-factor').toString()).toBe('a secret for codes');
    const rows = await db.query<{ k: Buffer }>(
      '/* across tenants: a test */ select private_key as k from signing_keys',
    );
    expect(new Set(rows.map(({ k }) => secrets.open(k, 'signing-key').toString()))).toEqual(new Set(['der']));
  });
});

it('leaves what it cannot decrypt, and reports it', async () => {
  const before = await server.db.query('select sealed from plugin_keys');
  const alone = 'a third secret that sealed nothing of all this';
  await withSecrets([alone], async ({ db, secrets }) => {
    const results = await resealAll(db, secrets);
    expect(lost(results)).toBe(1212);
    expect(Object.values(counts(results)).every((count) => count === 0)).toBe(true);
  });
  expect(await server.db.query('select sealed from plugin_keys')).toEqual(before);
});

it('is a command', async () => {
  const { out } = await serverCommand(['secrets', 'rotate'], {
    DATABASE_URL: server.db.url,
    TONEROW_SECRET: `${TEST_SECRET},${NEW}`,
  });
  expect(out.split('\n')).toEqual(
    expect.arrayContaining(['plugin_keys.sealed: 1 sealed again', 'webhook_endpoints.secret: 2 sealed again']),
  );
});

it('reads several secrets of a data folder, the newest first', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-secret-'));
  try {
    await writeFile(path.join(folder, 'secret'), `${NEW}\n\n${TEST_SECRET}\n`);
    const secrets = await secretsIn(folder);
    expect(secrets).toEqual([NEW, TEST_SECRET]);
    expect(() => new Secrets(secrets, undefined as never)).not.toThrow();
    await writeFile(path.join(folder, 'secret'), `${NEW}\nshort\n`);
    await expect(secretsIn(folder)).rejects.toThrow(/no usable secret/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
