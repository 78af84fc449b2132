import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, redeem } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { exemptFromTenantRules } from '@tonerow/test-support/tenant-gate.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openBackup, restore } from '../../packages/server/src/backup/restore.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { entities } from '../../packages/server/src/entities.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { createOrm } from '../../packages/server/src/platform/db/orm.ts';
import { systemRandom } from '../../packages/server/src/platform/random.ts';
import { Secrets } from '../../packages/server/src/platform/secrets/secrets.ts';
import { backupOf, keptReleases } from '../../scripts/release/kept.ts';

// The data of every release, as its own backup has it, is brought up to date and goes on with the server of today.

const releases = await keptReleases();

it('every release is kept', () => {
  expect(releases.length).toBeGreaterThan(0);
});

describe.each(releases)('the data of $version', ({ version, migrations, told }) => {
  let db: TestDatabase;
  let server: TestServer;
  let migrated: string[];
  const signIn = async (email: string) =>
    (await call(server, 'POST', '/api/auth/login', { body: { email, password: told.password } })).body.token as string;
  const activate = async (license_key: string, machine_id: string) =>
    (
      await call(server, 'POST', '/api/license/v1/activate', {
        token: told.pluginKey,
        body: { license_key, machine_id, email: 'nina@example.com' },
      })
    ).body.status;

  beforeAll(async () => {
    db = await createTestDatabase({ whole: true });
    exemptFromTenantRules(db);
    const opened = await openBackup(backupOf(version), createReadStream(backupOf(version)));
    const secret = (opened.header.secret as string).trim();
    const dataDir = path.join(inject('folder'), `release-${version}`);
    const clock = new TestClock(new Date());
    const random = systemRandom(clock);
    const env = { TONEROW_DATA_DIR: dataDir, DATABASE_URL: db.url, TONEROW_SECRET: secret };
    const config = { ...readConfig(env), databaseUrl: db.url, directUrl: db.url, secrets: [secret] };
    ({ migrated } = await restore(opened, {
      config,
      secrets: new Secrets([secret], random),
      log: pino({ level: 'silent' }),
      now: clock.now(),
      id: random.id(),
    }));
    server = await startServer({ db, env: { TONEROW_SECRET: secret } });
  });
  afterAll(async () => {
    await server?.stop();
    await db?.drop();
  });

  it('has the schema of today, by the migrations since then alone', async () => {
    expect(migrated.filter((name) => name in migrations)).toEqual([]);
    const orm = createOrm({
      url: db.url,
      entities,
      log: pino({ level: 'silent' }),
      migrationsFolder: path.resolve('migrations'),
    });
    expect(await orm.migrator.getPending()).toEqual([]);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
    await orm.close(true);
  });

  it('lets the developer sign in, and has the products and serials', async () => {
    const token = await signIn(told.developer.email);
    const products = await call(server, 'GET', '/api/products', { token });
    expect(products.text).toContain(told.product.name);
    expect(products.text).toContain('Ünïcode \\"quoted\\", with a\\ttab');
    const serials = await call(server, 'GET', '/api/serials', { token });
    expect([serials.status, serials.body.total]).toEqual([200, told.serials]);
    expect((await call(server, 'GET', '/api/views?list=redeemed', { token })).body.views).toHaveLength(1);
    // the access token of a script is as good as before
    expect((await call(server, 'GET', '/api/products', { token: told.developer.token })).status).toBe(200);
  });

  it('lets plugins go on: a machine keeps its seat, and there is no second one', async () => {
    expect(await activate(told.activated, 'studio')).toBe('active');
    expect(await activate(told.activated, 'stage')).toBe('seat_limit');
  });

  it('lets a customer redeem what is unused, and nothing twice', async () => {
    const again = await redeem(server, told.redeemed.code, 'somebody.else@example.com');
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect((await redeem(server, told.unused, 'new@example.com')).status).toBe(200);
  });

  it('has the trusts of CI jobs, and the webhooks', async () => {
    const token = await signIn(told.developer.email);
    const trusts = await call(server, 'GET', '/api/developer/trusts', { token });
    expect(trusts.body).toMatchObject([told.trust]);
    const hooks = await call(server, 'GET', '/api/webhooks', { token });
    expect(hooks.body.webhooks).toMatchObject([told.webhook]);
  });

  it('has the reseller’s draw, and stock for another', async () => {
    const token = await signIn(told.reseller.email);
    const drawn = await call(server, 'GET', `/api/reseller/serials/draws/${told.drawn.reference}`, { token });
    expect(drawn.status).toBe(200);
    const body = { product_id: told.product.id, reference: 'after the upgrade' };
    expect((await call(server, 'POST', '/api/reseller/serials/draw', { token, body })).status).toBeLessThan(300);
  });
});
