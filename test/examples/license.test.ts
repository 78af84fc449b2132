import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '../../packages/server/src/platform/clock.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { buildPlugin, compiler, Driver, hasLibrary, NO_COMPILER, unless } from './cpp-support.ts';
import { has } from './support.ts';

const MISSING = 'License invalid or missing. Please activate.';
const openssl = await hasLibrary('openssl/evp.h', '-lcrypto');
const able = openssl && has('curl');
const reason = compiler ? 'OpenSSL or curl is not here' : NO_COMPILER;

describe.runIf(able)(`TonerowLicense, running against a server${unless(able, reason)}`, () => {
  const clock = new TestClock('2026-03-10T12:00:00Z');
  let server: TestServer;
  let ada: Person;
  let product: { id: string };
  let key: string;
  let folder: string;
  let program: string;
  let machines = 0;
  const drivers: Driver[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonerow-license-'));
    program = await buildPlugin(folder);
    server = await startServer({ overrides: { clock } });
    ada = await signUp(server);
    product = await makeProduct(server, ada.token);
    key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  });
  afterEach(async () => {
    for (const driver of drivers.splice(0)) expect(await driver.stop()).toBe(0);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const serial = async () =>
    (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as { id: string; code: string };
  const homeOf = (machine: string) => path.join(folder, machine);
  const plugin = async (machine = `L${++machines}`, productId = product.id) => {
    await mkdir(homeOf(machine), { recursive: true });
    const driver = new Driver(program, [server.url, key, productId, ada.id, machine, homeOf(machine)]);
    drivers.push(driver);
    await driver.say(`clock ${clock.now().getTime()}`);
    return driver;
  };
  const activated = async (machine?: string) => {
    const { id, code } = await serial();
    const driver = await plugin(machine);
    await driver.say('open');
    expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'unlocked', message: '' });
    return { driver, id, code };
  };
  /** Time goes by for everybody; the developer looks in, or her session would end. */
  const pass = async (driver: Driver, days: number) => {
    clock.advance(days * DAY);
    await driver.say(`clock ${clock.now().getTime()}`);
    await call(server, 'GET', '/api/auth/me', { token: ada.token });
  };

  it('is locked without a license, and asks nobody', async () => {
    const driver = await plugin();
    expect(await driver.say('open')).toMatchObject({ state: 'locked', requests: 0, message: MISSING });
  });

  it('says why an activation failed', async () => {
    const driver = await plugin();
    await driver.say('open');
    const tell = async (code: string) => (await driver.say(`activate ${code} nina@example.com`)).message;
    expect(await tell('AAAA-AAAA-AAAA-AAAA')).toBe('Activation failed: There is no such license.');
    expect(await tell('TEST-FULL-AAAA-AAAA')).toContain(
      'Activation failed: All activations of this license are in use.',
    );
    expect((await driver.say('activate')).message).toBe('Please enter your license key.');
    await driver.say('network off');
    expect(await tell('AAAA')).toBe('Activation failed: The license server could not be reached.');
  });

  it('is unlocked at once when it is opened again, without the network', async () => {
    const { driver } = await activated();
    await driver.say('close');
    await driver.say('network off');
    const before = clock.now().getTime();
    expect(await driver.say('open')).toMatchObject({
      state: 'unlocked',
      requests: 2,
      checkBefore: before + 30 * DAY,
      message: '',
    });
  });

  it('asks once a day, and goes on with the fresh token that it is given', async () => {
    const { driver } = await activated();
    expect((await driver.say('refresh')).requests).toBe(2);
    await pass(driver, 16);
    expect(await driver.say('refresh')).toMatchObject({
      state: 'unlocked',
      requests: 3,
      checkBefore: clock.now().getTime() + 30 * DAY,
    });
  });

  it('goes on without the network until its token ends, and no clock makes that longer', async () => {
    const { driver } = await activated();
    await driver.say('network off');
    await pass(driver, 29);
    expect(await driver.say('refresh')).toMatchObject({ state: 'unlocked' });
    await pass(driver, 2);
    const late = { state: 'locked', message: 'The license has to be checked. Please connect to the internet.' };
    expect(await driver.say('refresh')).toMatchObject(late);
    await driver.say('network on');
    expect(await driver.say('refresh')).toMatchObject({ state: 'unlocked', message: '' });
    await driver.say('network off');
    await pass(driver, 29);
    await pass(driver, 2);
    expect(await driver.say('refresh')).toMatchObject(late);
    await driver.say(`clock ${clock.now().getTime() - 20 * DAY}`);
    expect(await driver.say('refresh')).toMatchObject(late);
    await driver.say('close');
    expect(await driver.say('open')).toMatchObject(late);
  });

  it('is locked when its license was revoked, and stays so', async () => {
    const { driver, id } = await activated();
    await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
    const message = `${MISSING} (This license has been revoked.)`;
    expect(await driver.say('validate')).toMatchObject({ state: 'locked', message });
    await driver.say('close');
    await driver.say('network off');
    expect(await driver.say('open')).toMatchObject({ state: 'locked', message: MISSING });
  });

  it('is not locked by a mistake in the plugin key', async () => {
    const { driver } = await activated();
    await server.db.query('update plugin_keys set is_active = false');
    await pass(driver, 1);
    expect(await driver.say('validate')).toMatchObject({ state: 'unlocked' });
    await server.db.query('update plugin_keys set is_active = true');
  });

  it('frees its seat, and is locked then', async () => {
    const { driver, id } = await activated();
    expect(await driver.say('deactivate')).toMatchObject({ state: 'locked', message: '' });
    expect(await server.db.query('select seats_used from serials where id = $1', [id])).toEqual([{ seats_used: 0 }]);
  });

  it('is not unlocked by the file of another machine, nor by a license of another product', async () => {
    await activated('here');
    const other = await plugin('there');
    await copyFile(`${homeOf('here')}/Plugin.license`, `${homeOf('there')}/Plugin.license`);
    await other.say('network off');
    expect(await other.say('open')).toMatchObject({ state: 'locked', message: MISSING });

    const second = await makeProduct(server, ada.token);
    const driver = await plugin(undefined, second.id);
    await driver.say('open');
    const { code } = await serial();
    expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({
      state: 'locked',
      message: 'Activation failed: This license is for another product.',
    });
  });

  it('believes only the keys that it carries, when it carries some', async () => {
    const { keys } = (await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`)).body;
    const right = await plugin();
    await right.say(`pin ${keys[0].kid} ${keys[0].x}`);
    await right.say('open');
    const { code } = await serial();
    expect(await right.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'unlocked', requests: 1 });

    const wrong = await plugin();
    await wrong.say(`pin ${keys[0].kid} ${'A'.repeat(43)}`);
    await wrong.say('open');
    expect(await wrong.say(`activate ${code} nina@example.com`)).toMatchObject({
      state: 'locked',
      message: "Activation failed: The license server's answer could not be verified.",
    });
  });
});
