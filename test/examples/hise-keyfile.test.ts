import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HisePlugin } from './hise/host.ts';
import type { HiseMachine } from './hise/machine.ts';
import { HiseUnlocker } from './hise/unlocker.ts';
import { HiseWorld } from './hise/world.ts';
import { SpoofedServer } from './spoofed-server.ts';

const NO_KEY = { RSA_PUBLIC_KEY: '{{RSA_PUBLIC_KEY}}' };
let world: HiseWorld;

beforeAll(async () => {
  world = await HiseWorld.start();
});
afterAll(() => world.server.stop());

const open = (machine: HiseMachine, values: Record<string, string> = {}) =>
  world.open(machine, { publicKey: world.publicKey, values });
const activated = (machine: HiseMachine, values: Record<string, string> = {}) =>
  world.activated(machine, { publicKey: world.publicKey, values });
/** The message to the user, and whether HISE itself plays. */
const stateOf = (plugin: HisePlugin) => [plugin.told.at(-1)?.unlocked, plugin.unlocker?.isUnlocked()];

describe.each([
  { withKey: true, values: {} },
  { withKey: false, values: NO_KEY },
])('HISE’s key file (the script has the RSA key: $withKey)', ({ withKey, values }) => {
  const machineOf = (name: string) => world.machine(`${name}-${withKey}`);

  it('is handed to HISE, opens the plugin at each start, and is deleted with the seat', async () => {
    const machine = machineOf('A');
    const { plugin, told } = await activated(machine, values);
    expect(told).toEqual({ unlocked: true, message: '' });
    expect(machine.keyFile).toContain(`Machine numbers: ${machine.id}`);
    expect(plugin.unlocker?.canExpire()).toBe(false);
    const again = await open(machine, values);
    expect(stateOf(again)).toEqual([true, true]);
    expect([plugin.sent, again.sent]).toEqual([['api/license/activate'], []]);
    await plugin.after('deactivate');
    expect(machine.keyFile).toBe(null);
  });

  it('is deleted when the license was revoked: from the next start on HISE is mute', async () => {
    const machine = machineOf('B');
    const { plugin, serial } = await activated(machine, values);
    await world.revoke(serial);
    await world.pass(machine, 2);
    expect((await plugin.hourLater())?.unlocked).toBe(false);
    expect(machine.keyFile).toBe(null);
    expect(stateOf(await open(machine, values))).toEqual([false, false]);
    // and there is no copy that a clock could bring back
    expect(machine.files.get('license.json')).not.toContain('Keyfile');
  });

  it('is put away when the license was not checked for too long, and is back with the server', async () => {
    const machine = machineOf('C');
    await activated(machine, values);
    machine.online = false;
    await world.pass(machine, 31);
    const late = await open(machine, values);
    expect([late.told.at(-1)?.unlocked, machine.keyFile]).toEqual([false, null]);
    const next = await open(machine, values);
    expect(stateOf(next)).toEqual([false, false]);
    machine.online = true;
    await next.hourLater();
    expect(stateOf(next)).toEqual([true, true]);
    expect(machine.keyFile).toContain(`Machine numbers: ${machine.id}`);
  });

  it('is back without the server when only the clock was wrong', async () => {
    const machine = machineOf('D');
    await activated(machine, values);
    machine.online = false;
    const { now } = machine;
    const { keyFile } = machine;
    machine.now = Date.UTC(2036, 0, 1);
    expect(stateOf(await open(machine, values))[0]).toBe(false);
    machine.now = now;
    expect(stateOf(await open(machine, values))).toEqual([true, true]);
    expect(machine.keyFile).toBe(keyFile);
  });

  it('is asked for again when it is lost, without a second seat', async () => {
    const machine = machineOf('E');
    const { serial } = await activated(machine, values);
    machine.keyFile = null;
    await world.pass(machine, 2);
    const plugin = await open(machine, values);
    expect(stateOf(plugin)).toEqual([true, true]);
    expect(plugin.sent).toEqual(['api/license/validate', 'api/license/activate']);
    const rows = await world.server.db.query('select seats_used from serials where id = $1', [serial.id]);
    expect(rows).toEqual([{ seats_used: 1 }]);
  });

  it('stays where it was when the server answers one that is not for this computer', async () => {
    const machine = machineOf('F');
    const { serial } = await activated(machine, values);
    const { keyFile } = machine;
    const other = machineOf('G');
    await activated(other, values);
    const spoofed = await SpoofedServer.start(world.server.url);
    for (const wrong of [other.keyFile, 'Keyfile for nothing', '', 7, null]) {
      spoofed.lie = async (_, truth) => {
        const sent = await truth();
        return { ...sent, body: JSON.stringify({ ...JSON.parse(sent.body), key_file: wrong }) };
      };
      const plugin = await open(machine, { ...values, TONEROW_URL: spoofed.url });
      await plugin.after('activate', serial.code, 'Nina', 'Simone', 'nina@example.com');
      expect([machine.keyFile, stateOf(plugin)]).toEqual([keyFile, [true, true]]);
    }
    spoofed.stop();
  });
});

describe('a key file that expires', () => {
  /** A machine with a lease of 30 days, and the plugin's state after an activation. */
  const leased = async (id: string) => {
    const machine = world.machine(id);
    const { code } = await world.serial();
    const who = { license_key: code, machine_id: id };
    const owner = { email: 'nina@example.com', version: '1.2.0' };
    const { text } = await world.licensing('keyfile', { ...who, ...owner, lease_days: 30 });
    const { body } = await world.licensing('validate', who);
    expect(text).toContain('Expires: ');
    machine.keyFile = text;
    const state = { license_key: code, instance_id: id, token: body.validation_token, last_ok: machine.now };
    machine.files.set('license.json', JSON.stringify({ ...state, last_error: '' }));
    return machine;
  };

  it('is opened by the server’s time at each start, to its last day', async () => {
    const machine = await leased('L20');
    const plugin = await open(machine);
    expect([plugin.sent, stateOf(plugin)]).toEqual([['api/license/v1/time'], [true, true]]);
    // an hour later it is still open, without a request
    await plugin.hourLater();
    expect(plugin.sent).toEqual(['api/license/v1/time']);
    await world.pass(machine, 29.9);
    const last = await open(machine);
    expect([last.sent[0], stateOf(last)]).toEqual(['api/license/v1/time', [true, true]]);
  });

  it('stays locked after it expires, whatever the machine’s own clock shows', async () => {
    const machine = await leased('L21');
    const early = machine.now;
    await world.pass(machine, 31);
    machine.online = false;
    expect(stateOf(await open(machine))).toEqual([false, false]);
    // back in the network, whose server knows the time
    Object.assign(machine, { now: early, online: true });
    await world.server.db.query("update activations set released_at = now() where machine_id = 'L21'");
    expect(stateOf(await open(machine))).toEqual([false, false]);
  });

  it('goes by the last signed time while the server is away', async () => {
    const machine = await leased('L22');
    await open(machine);
    machine.online = false;
    await world.pass(machine, 29);
    expect(stateOf(await open(machine))).toEqual([true, true]);
    await world.pass(machine, 2);
    expect(stateOf(await open(machine))).toEqual([false, false]);
  });

  it('is tried again every hour until the server is there', async () => {
    const machine = await leased('L23');
    machine.online = false;
    machine.files.clear();
    const plugin = await open(machine);
    expect(plugin.unlocker?.isUnlocked()).toBe(false);
    machine.online = true;
    await plugin.hourLater();
    expect(plugin.unlocker?.isUnlocked()).toBe(true);
  });

  it('is never opened by a time that the server did not sign, though HISE takes it for 1970', async () => {
    const machine = await leased('L24');
    await world.pass(machine, 31);
    const { keyFile } = machine;
    const spoofed = await SpoofedServer.start(world.server.url);
    for (const values of [{}, NO_KEY]) {
      for (const hise of ['0x1234', '0x', '', 'no time', 12, null, { a: 1 }]) {
        const answer = { ok: true, time: '2026-03-10T12:00:00.000Z', iso: '2026-03-10T12:00:00Z', hise };
        spoofed.lie = () => ({ status: 200, headers: {}, body: JSON.stringify(answer) });
        const plugin = await open(Object.assign(machine, { keyFile }), { ...values, TONEROW_URL: spoofed.url });
        expect([hise, plugin.unlocker?.isUnlocked()]).toEqual([hise, false]);
      }
    }
    spoofed.stop();
    const unguarded = new HiseUnlocker(
      Object.assign(machine, { keyFile }),
      `${world.product.name} 1.2.0`,
      world.publicKey,
    );
    expect([unguarded.checkExpirationData('0x1234'), unguarded.isUnlocked()]).toEqual([expect.any(Number), true]);
  });

  it('is not taken by a script without the RSA key, which could not open it', async () => {
    const machine = await leased('L25');
    const plugin = await open(machine, NO_KEY);
    expect([plugin.sent, stateOf(plugin)]).toEqual([[], [false, false]]);
  });
});
