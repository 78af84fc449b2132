import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '../../packages/server/src/platform/clock.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { HiseMachine, HisePlugin } from './hise-host.ts';

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
  clock.advance(days * DAY);
  machine.now += days * DAY;
  await call(server, 'GET', '/api/auth/me', { token: ada.token });
};
const open = async (machine: HiseMachine, withUnlocker = false) => {
  const plugin = new HisePlugin(machine, values, withUnlocker);
  await plugin.after((script) => script.tonerowStart());
  return plugin;
};
const activated = async (machine: HiseMachine) => {
  const { id, code } = await serial();
  const plugin = await open(machine);
  const told = await plugin.after((script) => script.tonerowActivate(code, 'Nina', 'Simone', 'nina@example.com'));
  expect(told).toEqual({ unlocked: true, message: '' });
  return { id, code, plugin };
};

describe('the HISE example', () => {
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
    await call(server, 'GET', `/api/products/${product.id}/rsa`, { token: ada.token });
    const machine = machineNow('L11');
    const { code } = await serial();
    const plugin = await open(machine, true);
    await plugin.after((script) => script.tonerowActivate(code, 'Nina', 'Simone', 'nina@example.com'));
    expect(machine.keyFile).toMatch(/^Keyfile for /);
    expect(machine.keyFile).toContain('Machine numbers: L11');
    await plugin.after((script) => script.tonerowDeactivate());
    expect(machine.keyFile).toBe(null);
  });
});
