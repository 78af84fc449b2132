import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '../../packages/server/src/platform/clock.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { HiseMachine, HisePlugin } from './hise-host.ts';
import { exampleFiles } from './support.ts';

const MISSING = 'Please fill first name, last name, email, and license key.';
const LOCKED = 'License invalid or missing. Please activate.';
const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
let product: { id: string; name: string };
let values: Record<string, string>;

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
  const { plaintext } = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body;
  values = {
    TONEROW_URL: server.url,
    PLUGIN_KEY: plaintext,
    DEVELOPER_ID: ada.id,
    PRODUCT_ID: product.id,
    PRODUCT_NAME: product.name,
  };
});
afterAll(() => server.stop());

const serial = async () =>
  (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as { id: string; code: string };
const machineNow = (id: string) => Object.assign(new HiseMachine(id), { now: clock.now().getTime() });
/** Time goes by for everybody. */
const pass = async (machine: HiseMachine, days: number) => {
  machine.now += days * DAY;
  // the developer looks in now and then, or her session ends
  for (let left = days; left > 0; left -= 5) {
    clock.advance(Math.min(left, 5) * DAY);
    await call(server, 'GET', '/api/auth/me', { token: ada.token });
  }
};
const open = async (machine: HiseMachine, publicKey?: string) => {
  const plugin = new HisePlugin(machine, values, publicKey);
  await plugin.after((script) => script.tonerowStart());
  return plugin;
};
const rsa = async () =>
  (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token })).text;
const activated = async (machine: HiseMachine) => {
  const { id, code } = await serial();
  const plugin = await open(machine);
  const told = await plugin.after((script) => script.tonerowActivate(code, 'Nina', 'Simone', 'nina@example.com'));
  expect(told).toEqual({ unlocked: true, message: '' });
  return { id, code, plugin };
};

describe('the HISE example', () => {
  it('uses no words of JavaScript that HISE has not', () => {
    const code = (exampleFiles().get('hise/Tonerow.js') as string).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(code).not.toMatch(
      /=>|`|\blet\b|\?\.|\?\?|\.\.\.|\.(\w*sWith|includes|slice|match|replaceAll|pad\w+|map|join)\(/,
    );
    // HISE takes an end that is left out for 0
    for (const [, from] of code.matchAll(/\.substring\(((?:[^()]|\([^()]*\))*)\)/g)) expect(from).toContain(', ');
  });

  it('asks for all four fields, and sends nothing before they are there', async () => {
    const plugin = await open(machineNow('L1'));
    expect(plugin.told).toEqual([{ unlocked: false, message: LOCKED }]);
    const fields = ['AAAA', 'Nina', 'Simone', 'nina@example.com'] as const;
    for (const missing of fields.keys()) {
      const form = fields.map((field, index) => (index === missing ? ' ' : field)) as [string, string, string, string];
      const told = await plugin.after((script) => script.tonerowActivate(...form));
      expect(told).toEqual({ unlocked: false, message: MISSING });
    }
    expect(plugin.sent).toEqual([]);
  });

  it('activates, keeps its state, and is unlocked when it is opened again', async () => {
    const machine = machineNow('L2');
    const { code } = await activated(machine);
    expect(JSON.parse(machine.files.get('license.json') as string)).toEqual({
      license_key: code,
      instance_id: 'L2',
      token: expect.stringMatching(/^ey/),
      last_ok: machine.now,
      last_error: '',
      signed_time: '',
    });
    machine.online = false;
    const again = await open(machine);
    expect(again.told).toEqual([{ unlocked: true, message: '' }]);
    expect(again.sent).toEqual([]);
  });

  it('says why an activation failed', async () => {
    const plugin = await open(machineNow('L3'));
    const tell = (code: string) =>
      plugin.after((script) => script.tonerowActivate(code, 'Nina', 'Simone', 'n@example.com'));
    expect(await tell('AAAA-AAAA-AAAA-AAAA')).toEqual({
      unlocked: false,
      message: 'Activation failed: There is no such license.',
    });
    expect((await tell('TEST-FULL-AAAA-AAAA'))?.message).toContain('All activations of this license are in use.');
    const offline = machineNow('L4');
    offline.online = false;
    const alone = await open(offline);
    expect(await alone.after((script) => script.tonerowActivate('AAAA', 'Nina', 'Simone', 'n@example.com'))).toEqual({
      unlocked: false,
      message: 'Activation failed: The license server could not be reached.',
    });
  });

  it('asks once a day, and takes the fresh token that it is given', async () => {
    const machine = machineNow('L5');
    const { plugin } = await activated(machine);
    const first = plugin.script.Tonerow.state.token;
    await plugin.hourLater();
    expect(plugin.sent).toEqual(['api/license/activate']);
    await pass(machine, 16);
    expect(await plugin.hourLater()).toEqual({ unlocked: true, message: '' });
    expect(plugin.sent.at(-1)).toBe('api/license/validate');
    expect(plugin.script.Tonerow.state.token).not.toBe(first);
    expect(plugin.script.Tonerow.state.last_ok).toBe(machine.now);
  });

  it('goes on without the network for its days of grace, and then until it has it again', async () => {
    const machine = machineNow('L6');
    await activated(machine);
    machine.online = false;
    await pass(machine, 29);
    expect((await open(machine)).told.at(-1)).toEqual({ unlocked: true, message: '' });
    await pass(machine, 2);
    const late = await open(machine);
    expect(late.told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
    machine.online = true;
    // its token has ended too, and the seat is still its own
    expect(await late.hourLater()).toEqual({ unlocked: true, message: '' });
  });

  it('is locked by a clock that was turned back, until the server is asked', async () => {
    const machine = machineNow('L7');
    await activated(machine);
    machine.now -= 2 * DAY;
    machine.online = false;
    expect((await open(machine)).told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
  });

  it('is locked when its license was revoked, and by the file of another computer', async () => {
    const machine = machineNow('L8');
    const { id } = await activated(machine);
    const copy = machineNow('L9');
    copy.files.set('license.json', machine.files.get('license.json') as string);
    expect((await open(copy)).told).toEqual([{ unlocked: false, message: LOCKED }]);
    await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
    await pass(machine, 2);
    expect((await open(machine)).told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
    expect(JSON.parse(machine.files.get('license.json') as string)).toMatchObject({
      token: '',
      last_error: 'This license has been revoked.',
    });
  });

  it('frees its seat and forgets everything', async () => {
    const machine = machineNow('L10');
    const { id, plugin } = await activated(machine);
    expect(await plugin.after((script) => script.tonerowDeactivate())).toEqual({ unlocked: false, message: LOCKED });
    expect(machine.files.size).toBe(0);
    expect(await server.db.query('select seats_used from serials where id = $1', [id])).toEqual([{ seats_used: 0 }]);
  });

  it('hands HISE its key file where the product has one', async () => {
    const machine = machineNow('L11');
    const { code } = await serial();
    const plugin = await open(machine, await rsa());
    expect(plugin.unlocker?.isUnlocked()).toBe(false);
    await plugin.after((script) => script.tonerowActivate(code, 'Nina', 'Simone', 'nina@example.com'));
    expect(machine.keyFile).toMatch(/^Keyfile for /);
    expect(machine.keyFile).toContain('Machine numbers: L11');
    expect([plugin.unlocker?.isUnlocked(), plugin.unlocker?.canExpire()]).toEqual([true, false]);
    const again = await open(machine, await rsa());
    expect(again.unlocker?.isUnlocked()).toBe(true);
    expect([plugin.sent, again.sent]).toEqual([['api/license/activate'], []]);
    await plugin.after((script) => script.tonerowDeactivate());
    expect(machine.keyFile).toBe(null);
  });
});

describe.each([
  { withKey: true, activation: ['api/license/activate'] },
  { withKey: false, activation: ['api/license/activate', 'api/license/v1/time'] },
])('a key file with an end (the script has the RSA key: $withKey)', ({ withKey, activation }) => {
  /** A machine whose seat is a lease of 30 days: what is made for it ends with that. */
  const leased = async (id: string) => {
    const machine = machineNow(id);
    const publicKey = await rsa();
    values.RSA_PUBLIC_KEY = withKey ? publicKey : '{{RSA_PUBLIC_KEY}}';
    const { code } = await serial();
    const body = { license_key: code, machine_id: id, email: 'nina@example.com', lease_days: 30 };
    await call(server, 'POST', '/api/license/v1/keyfile', { token: values.PLUGIN_KEY as string, body });
    const plugin = await open(machine, publicKey);
    const told = await plugin.after((script) => script.tonerowActivate(code, 'Nina', 'Simone', 'nina@example.com'));
    expect(machine.keyFile).toContain('Expires: ');
    return { machine, publicKey, plugin, told };
  };

  it('is opened by the server’s time, at activation and at each start, to its last day', async () => {
    const { machine, publicKey, plugin, told } = await leased('L20');
    expect(told).toEqual({ unlocked: true, message: '' });
    // the file came with the time of its making, for who can check it
    expect(plugin.sent).toEqual(activation);
    expect([plugin.unlocker?.canExpire(), plugin.unlocker?.isUnlocked()]).toEqual([true, true]);
    // an hour later it is open still, and nothing is asked
    await plugin.hourLater();
    expect(plugin.sent).toEqual(activation);

    const again = await open(machine, publicKey);
    expect(again.sent).toEqual(['api/license/v1/time']);
    expect(again.unlocker?.isUnlocked()).toBe(true);
    await pass(machine, 29.9);
    const last = await open(machine, publicKey);
    expect(last.sent).toEqual(['api/license/v1/time', 'api/license/validate']);
    expect(last.unlocker?.isUnlocked()).toBe(true);
    expect(last.told.at(-1)).toEqual({ unlocked: true, message: '' });
  });

  it('stays shut after its end, whatever the machine’s own clock says', async () => {
    const { machine, publicKey } = await leased('L21');
    const early = machine.now;
    await pass(machine, 31);
    const late = await open(machine, publicKey);
    expect(late.unlocker?.isUnlocked()).toBe(false);
    // the seat itself is good, and still nobody is told that the plugin plays
    expect(late.sent.slice(0, 2)).toEqual(['api/license/v1/time', 'api/license/validate']);
    expect(late.script.Tonerow.state.last_ok).toBe(machine.now);
    expect(late.told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
    machine.now = early;
    const back = await open(machine, publicKey);
    expect([back.unlocker?.isUnlocked(), back.told.at(-1)?.unlocked]).toEqual([false, false]);
  });

  it('goes by the last signed time while the server is away, for the days of grace', async () => {
    const { machine, publicKey } = await leased('L22');
    machine.online = false;
    await pass(machine, 29);
    const alone = await open(machine, publicKey);
    expect(alone.unlocker?.isUnlocked()).toBe(true);
    expect(alone.told.at(-1)).toEqual({ unlocked: true, message: '' });
    await pass(machine, 2);
    const late = await open(machine, publicKey);
    expect(late.unlocker?.isUnlocked()).toBe(false);
    expect(late.told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
  });

  it('is tried again every hour until the server is there', async () => {
    const { machine, publicKey } = await leased('L23');
    machine.online = false;
    machine.files.clear();
    const plugin = await open(machine, publicKey);
    expect(plugin.unlocker?.isUnlocked()).toBe(false);
    machine.online = true;
    await plugin.hourLater();
    expect(plugin.unlocker?.isUnlocked()).toBe(true);
  });
});
