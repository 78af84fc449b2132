import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../packages/server/src/platform/clock.ts';
import { HisePlugin } from './hise/host.ts';
import type { HiseMachine } from './hise/machine.ts';
import { HiseWorld } from './hise/world.ts';
import { SpoofedServer } from './spoofed-server.ts';
import { HISE } from './support.ts';

const MISSING = 'Please fill first name, last name, email, and license key.';
const LOCKED = 'License invalid or missing. Please activate.';
const UNLOCKED = { unlocked: true, message: '' };
let world: HiseWorld;

beforeAll(async () => {
  world = await HiseWorld.start();
});
afterAll(() => world.server.stop());

describe('the HISE example, in a project of its user’s', () => {
  const values = { PRODUCT_NAME: 'Velvet' };
  const compile = (script: string) => new HisePlugin(world.machine('L0'), { ...world.values, ...values }, { script });

  it('has no name of its own but Tonerow', () => {
    const { engine } = compile('');
    expect([...engine.namespaces.keys()]).toEqual(['Tonerow']);
    expect(engine.topLevelNames()).toEqual([]);
  });

  // every name that a function of the script gives to an argument or a variable, and what people call theirs
  const code = readFileSync(path.join(HISE, 'Tonerow.js'), 'utf8');
  const words = [...code.matchAll(/\blocal (\w+)|(?<=function \w+\()([\w, ]+)/g)].flatMap(([, local, parameters]) =>
    local ? [local] : (parameters as string).split(', '),
  );
  const names = [...new Set([...words, 'key', 'text', 'unlocker', 'state', 'timer', 'callback'])];

  it.each(['const var', 'reg', 'var'])('works where its user declared the same words with %s', async (kind) => {
    expect(names.length).toBeGreaterThan(25);
    const machine = world.machine(`L-${kind.replace(' ', '-')}`);
    const { code: license } = await world.serial();
    // HISE has no more than 32 registers
    for (let first = 0; first < names.length; first += 20) {
      const script = names.slice(first, first + 20).map((name) => `${kind} ${name} = "the user's";`);
      const plugin = new HisePlugin(machine, world.values, { script: script.join('\n') });
      await plugin.after('start');
      expect(await plugin.after('activate', license, 'Nina', 'Simone', 'nina@example.com')).toEqual(UNLOCKED);
      expect(await plugin.after('deactivate')).toEqual({ unlocked: false, message: LOCKED });
    }
  });
});

describe('the HISE example', () => {
  it('asks for all four fields, and sends nothing before they are there', async () => {
    const plugin = await world.open(world.machine('L1'));
    expect(plugin.told).toEqual([{ unlocked: false, message: LOCKED }]);
    const fields = ['AAAA', 'Nina', 'Simone', 'nina@example.com'] as const;
    for (const missing of fields.keys()) {
      const form = fields.map((field, index) => (index === missing ? ' ' : field));
      expect(await plugin.after('activate', ...form)).toEqual({ unlocked: false, message: MISSING });
    }
    expect(plugin.sent).toEqual([]);
  });

  it('activates, keeps its state, and is unlocked when it is opened again', async () => {
    const machine = world.machine('L2');
    const { serial, told } = await world.activated(machine);
    expect(told).toEqual(UNLOCKED);
    expect(JSON.parse(machine.files.get('license.json') as string)).toEqual({
      license_key: serial.code,
      instance_id: 'L2',
      token: expect.stringMatching(/^ey/),
      last_ok: machine.now,
      last_error: '',
      signed_time: '',
      key_file: '',
      unlock: '',
      ended: '',
      trial_ends: 0,
      expansion_serial: '',
      expansion_key: '',
      update_version: '',
      update_notes: '',
      update_link: '',
      update_from: '',
      update_asked: 0,
    });
    machine.online = false;
    const again = await world.open(machine);
    expect([again.told, again.sent]).toEqual([[UNLOCKED], []]);
  });

  it('explains why an activation failed', async () => {
    const plugin = await world.open(world.machine('L3'));
    const tell = (code: string) => plugin.after('activate', code, 'Nina', 'Simone', 'n@example.com');
    expect(await tell('AAAA-AAAA-AAAA-AAAA')).toEqual({
      unlocked: false,
      message: 'Activation failed: License not found.',
    });
    expect((await tell('TEST-FULL-AAAA-AAAA'))?.message).toContain('All activations of this license are in use.');
    const offline = world.machine('L4');
    offline.online = false;
    const alone = await world.open(offline);
    expect(await alone.after('activate', 'AAAA', 'Nina', 'Simone', 'n@example.com')).toEqual({
      unlocked: false,
      message: 'Activation failed: The license server could not be reached.',
    });
  });

  it('accepts no response without ok as a yes, whatever its status', async () => {
    const spoofed = await SpoofedServer.start(world.server.url);
    const plugin = await world.open(world.machine('L5'), { values: { TONEROW_URL: spoofed.url } });
    for (const body of ['<html>Welcome to our hotel</html>', '{}', '[]', '{"ok":false}', '{"ok":null}', '""', '7']) {
      spoofed.lie = () => ({ status: 200, headers: {}, body });
      const told = await plugin.after('activate', 'AAAA', 'Nina', 'Simone', 'n@example.com');
      expect([body, told?.unlocked, told?.message]).toEqual([
        body,
        false,
        "Activation failed: This was not the license server's answer.",
      ]);
      await plugin.after('validate');
      await plugin.after('deactivate');
      expect(plugin.told.at(-1)?.unlocked).toBe(false);
    }
    spoofed.stop();
  });

  it('starts with a file that was cut off', async () => {
    const machine = world.machine('L6');
    const { plugin } = await world.activated(machine);
    machine.files.set('license.json', (machine.files.get('license.json') as string).slice(0, 40));
    expect((await world.open(machine)).told).toEqual([{ unlocked: false, message: LOCKED }]);
    expect(plugin.isUnlocked()).toBe(true);
  });

  it('asks once a day, and takes the fresh token that it is given', async () => {
    const machine = world.machine('L7');
    const { plugin } = await world.activated(machine);
    const first = plugin.state.token;
    await plugin.hourLater();
    expect(plugin.sent).toEqual(['api/license/activate']);
    await world.pass(machine, 16);
    expect(await plugin.hourLater()).toEqual(UNLOCKED);
    expect(plugin.sent.at(-1)).toBe('api/license/validate');
    expect(plugin.state.token).not.toBe(first);
    expect(plugin.state.last_ok).toBe(machine.now);
  });

  it('goes on without the network for its days of grace, and then until it has it again', async () => {
    const machine = world.machine('L8');
    await world.activated(machine);
    machine.online = false;
    await world.pass(machine, 29);
    expect((await world.open(machine)).told.at(-1)).toEqual(UNLOCKED);
    await world.pass(machine, 2);
    const late = await world.open(machine);
    expect(late.told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
    machine.online = true;
    // its token has ended too, and the seat is still its own
    expect(await late.hourLater()).toEqual(UNLOCKED);
  });

  it('is not locked when the clock was ahead at its activation and is right again, without the network', async () => {
    const machine = world.machine('L9');
    machine.now += 2 * DAY;
    await world.activated(machine);
    machine.now -= 2 * DAY;
    machine.online = false;
    expect((await world.open(machine)).told.at(-1)).toEqual(UNLOCKED);
  });

  it('is locked by a clock that was turned back by more than its days of grace, until it is right or the server is asked', async () => {
    const machine = world.machine('L9b');
    await world.activated(machine);
    machine.online = false;
    const { now } = machine;
    machine.now -= 31 * DAY;
    expect((await world.open(machine)).told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
    machine.now = now;
    expect((await world.open(machine)).told.at(-1)).toEqual(UNLOCKED);
  });

  it.each([
    ['its own serial', (own: string) => own],
    ['another serial', () => 'AAAA-AAAA-AAAA-AAAA'],
  ])('keeps its license when an activation of %s is answered without a token', async (_which, asked) => {
    const machine = world.machine(`L9-${asked('own').length}`);
    const spoofed = await SpoofedServer.start(world.server.url);
    const { serial, plugin } = await world.activated(machine, { values: { TONEROW_URL: spoofed.url } });
    const { ...before } = plugin.state;
    for (const token of [undefined, '', null, 7, true]) {
      const body = JSON.stringify({ ok: true, status: 'active', validation_token: token, new_token: token });
      spoofed.lie = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
      const told = await plugin.after('activate', asked(serial.code), 'Nina', 'Simone', 'n@example.com');
      expect([token, told?.unlocked, told?.message]).toEqual([
        token,
        true,
        "Activation failed: This was not the license server's answer.",
      ]);
      await plugin.after('validate');
      expect(plugin.state).toMatchObject({ license_key: before.license_key, token: before.token });
    }
    machine.online = false;
    expect((await world.open(machine)).told.at(-1)).toEqual(UNLOCKED);
    spoofed.stop();
  });

  it('is locked when its license was revoked, and by the file of another computer', async () => {
    const machine = world.machine('L10');
    const { serial } = await world.activated(machine);
    const copy = world.machine('L11');
    copy.files.set('license.json', machine.files.get('license.json') as string);
    expect((await world.open(copy)).told).toEqual([{ unlocked: false, message: LOCKED }]);
    await world.revoke(serial);
    await world.pass(machine, 2);
    expect((await world.open(machine)).told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
    expect(JSON.parse(machine.files.get('license.json') as string)).toMatchObject({
      token: '',
      last_error: 'This license has been revoked.',
    });
  });

  it('takes no second seat when it is activated again after the computer’s id has changed', async () => {
    const machine = world.machine('L13');
    const { serial } = await world.activated(machine);
    const updated = world.machine('L14');
    updated.files.set('license.json', machine.files.get('license.json') as string);
    const plugin = await world.open(updated);
    const activate = (code: string) => plugin.after('activate', code, 'Nina', 'Simone', 'nina@example.com');
    const seats = async () => {
      const used = 'select machine_id from activations where serial_id = $1 and released_at is null';
      return world.server.db.query(used, [serial.id]);
    };
    // another license is another matter
    await activate((await world.serial()).code);
    expect(await seats()).toEqual([{ machine_id: 'L13' }]);
    expect(await activate(serial.code)).toEqual(UNLOCKED);
    expect(await seats()).toEqual([{ machine_id: 'L14' }]);
  });

  it('frees its seat and forgets everything', async () => {
    const machine = world.machine('L12');
    const { serial, plugin } = await world.activated(machine);
    expect(await plugin.after('deactivate')).toEqual({ unlocked: false, message: LOCKED });
    expect(machine.files.size).toBe(0);
    const rows = await world.server.db.query('select seats_used from serials where id = $1', [serial.id]);
    expect(rows).toEqual([{ seats_used: 0 }]);
  });
});

describe('the HISE example with expansions', () => {
  const script = 'Tonerow.setExpansionHandler(Engine.createExpansionHandler());';
  const open = async (id: string | HiseMachine) => {
    const machine = typeof id === 'string' ? world.machine(id) : id;
    const plugin = new HisePlugin(machine, world.values, { script });
    await plugin.after('start');
    return { machine, plugin };
  };
  const buyer = ['Nina', 'Simone', 'nina@example.com'] as const;

  it('opens them by a key of the license, the same on each of its computers, offline too, and on no other', async () => {
    const { code, id } = await world.serial();
    const { plugin, machine } = await open('E1');
    expect(plugin.credentials).toEqual([]);
    await plugin.after('activate', code, ...buyer);
    const credentials = { serial: id, key: expect.stringMatching(/^[\w-]{43}$/) };
    expect(plugin.credentials).toEqual([credentials]);
    machine.online = false;
    const { plugin: again } = await open(machine);
    expect(again.credentials).toEqual(plugin.credentials);
    expect(again.sent).toEqual([]);
    const { plugin: laptop } = await open('E2');
    await laptop.after('activate', code, ...buyer);
    expect(laptop.credentials).toEqual(plugin.credentials);
    const { plugin: other } = await open('E3');
    await other.after('activate', (await world.serial()).code, ...buyer);
    expect(other.credentials).toHaveLength(1);
    expect(other.credentials).not.toEqual(plugin.credentials);
  });

  it('forgets the key when the license is lost or given back', async () => {
    const serial = await world.serial();
    const { plugin, machine } = await open('E4');
    await plugin.after('activate', serial.code, ...buyer);
    await world.revoke(serial);
    await plugin.after('validate');
    expect(plugin.state).toMatchObject({ ended: 'revoked', expansion_key: '', expansion_serial: '' });
    expect((await open(machine)).plugin.credentials).toEqual([]);
  });
});
