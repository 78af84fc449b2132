import { call, makeProduct, makeSerials, redeem } from '@tonerow/test-support/http.ts';
import { juceKeyOf } from '@tonerow/test-support/juce.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../packages/server/src/platform/clock.ts';
import type { HisePlugin } from './hise/host.ts';
import type { HiseMachine } from './hise/machine.ts';
import { HiseWorld } from './hise/world.ts';

const LOCKED = 'License invalid or missing. Please activate.';
const NOT_FOR_HERE = 'This is not a license file for this plugin on this computer.';
const EXPIRED = 'This license file has expired. Please create a new one.';
let world: HiseWorld;

beforeAll(async () => {
  world = await HiseWorld.start({ name: 'Velvet Keys Deluxe', lease_days: 60 });
});
afterAll(() => world.server.stop());

const computer = (id: string) => Object.assign(world.machine(id), { online: false });
const pass = (machine: HiseMachine, days: number) => world.pass(machine, days);
const open = (machine: HiseMachine, values: Record<string, string> = {}, name?: string) =>
  world.open(machine, { publicKey: world.publicKey, values, ...(name ? { name } : {}) });
const stateOf = (plugin: HisePlugin) => [plugin.told.at(-1)?.unlocked, plugin.unlocker?.isUnlocked()];
const serial = async () => {
  const { code } = await world.serial();
  await redeem(world.server, code, 'nina@example.com', world.ada.id);
  return code;
};
const machineFile = async (machine: HiseMachine, plugin: HisePlugin) => {
  await plugin.after('writeMachineFile', machine.file('machine.json'));
  return machine.files.get('machine.json') as string;
};
const fileFor = async (machine: HiseMachine, license_key: string, plugin?: HisePlugin) => {
  const body = { license_key, machine_file: await machineFile(machine, plugin ?? (await open(machine))) };
  const answer = await world.licensing('offline', body);
  expect(answer.status).toBe(200);
  return answer.text;
};
const take = async (machine: HiseMachine, plugin: HisePlugin, text: string) => {
  machine.files.set('license.txt', text);
  return plugin.after('readLicenseFile', machine.file('license.txt'));
};
/** A machine that took its license file, and the plugin that did it. */
const leased = async (id: string) => {
  const machine = computer(id);
  const code = await serial();
  const plugin = await open(machine);
  const told = await take(machine, plugin, await fileFor(machine, code, plugin));
  expect(told).toEqual({ unlocked: true, message: '' });
  return { machine, code, plugin };
};

describe('a HISE plugin without network', () => {
  it('is unlocked by the file from its owner’s page, at every start until the lease ends', async () => {
    const machine = computer('L1');
    const code = await serial();
    // the project's name differs from the product's, and the key file must match the project
    const project = 'Velvet & Keys';
    const openHere = () => open(machine, {}, project);
    const plugin = await openHere();
    expect(plugin.told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
    const machine_file = await machineFile(machine, plugin);
    expect(JSON.parse(machine_file)).toEqual({ machine_id: 'L1', device: 'Studio', app: `${project} 1.2.0` });

    await call(world.server, 'POST', '/api/redeem/my-products', {
      body: { email: 'nina@example.com', dev: world.ada.id },
    });
    const email = await world.server.email((each) => /open=/.test(each.text ?? ''));
    const token = /open=([^\s&]+)/.exec(email.text ?? '')?.[1];
    const body = { token, serial: code, machine_file };
    const { text } = await call(world.server, 'POST', '/api/redeem/my-products/offline', { body });
    expect(juceKeyOf(text, world.publicKey)).toMatchObject({ app: `${project} 1.2.0`, expiring_mach: 'L1' });

    expect(await take(machine, plugin, text)).toEqual({ unlocked: true, message: '' });
    expect(plugin.unlocker?.isUnlocked()).toBe(true);
    expect((plugin.data.leaseToken as string).split('.')).toHaveLength(3);

    const again = await openHere();
    expect(again.told).toEqual([{ unlocked: true, message: '' }]);
    expect(again.unlocker?.isUnlocked()).toBe(true);
    await pass(machine, 59.9);
    expect(stateOf(await openHere())).toEqual([true, true]);
    // even without the script's own file: the key file contains everything
    machine.files.clear();
    const last = await openHere();
    expect(stateOf(last)).toEqual([true, true]);
    expect([plugin.sent, again.sent, last.sent]).toEqual([[], [], []]);

    await pass(machine, 0.2);
    // a running plugin reports it at its next hour, and a plugin that starts stays locked
    expect(await last.hourLater()).toEqual({ unlocked: false, message: LOCKED });
    expect(stateOf(await openHere())).toEqual([false, false]);
  });

  it('is unlocked by the file that a plugin key gets, and longer by the next', async () => {
    const { machine, code, plugin } = await leased('L2');
    await pass(machine, 50);
    expect(await take(machine, plugin, await fileFor(machine, code, plugin))).toEqual({ unlocked: true, message: '' });
    await pass(machine, 50);
    expect(stateOf(await open(machine))).toEqual([true, true]);
    await pass(machine, 11);
    expect(stateOf(await open(machine))).toEqual([false, false]);
  });

  it('is locked by a clock behind the newest signed time or past the end, until the server sends the time', async () => {
    const { machine } = await leased('L3');
    const { now } = machine;
    for (const moved of [-2 * DAY, 61 * DAY]) {
      machine.now = now + moved;
      machine.online = false;
      const plugin = await open(machine);
      expect(stateOf(plugin)).toEqual([false, false]);
      machine.online = true;
      await plugin.hourLater();
      expect(stateOf(plugin)).toEqual([true, true]);
    }
    // the server’s time is remembered, and the clock may not go behind that either
    machine.now = now;
    await pass(machine, 20);
    machine.now += 50 * DAY;
    expect(stateOf(await open(machine))).toEqual([true, true]);
    Object.assign(machine, { online: false, now: now + 10 * DAY });
    expect(stateOf(await open(machine))).toEqual([false, false]);
    machine.now = now + 21 * DAY;
    expect(stateOf(await open(machine))).toEqual([true, true]);
  });

  it('believes no time that the server did not sign, though HISE would take it for 1970', async () => {
    const { machine } = await leased('L4');
    const good = machine.keyFile as string;
    const time = /^Signed time: 0x(.*)\r$/m.exec(good)?.[1] as string;
    await pass(machine, 61);
    const changed = `${time.slice(0, -1)}${time.endsWith('0') ? 1 : 0}`;
    const forged = ['1234', changed, `${time}00`, '', 'no hex'];
    for (const text of forged) {
      machine.files.clear();
      machine.keyFile = good.replace(time, text);
      const plugin = await open(machine);
      expect(stateOf(plugin)).toEqual([false, false]);
      expect(plugin.state.signed_time).toBe('');
      // nor one from its state file
      const state = { ...plugin.state, signed_time: `0x${text}`, instance_id: 'L4' };
      machine.files.set('license.json', JSON.stringify(state));
      expect(stateOf(await open(machine))).toEqual([false, false]);
    }
  });

  it('takes no file of another machine, plugin or kind, and keeps the one that it has', async () => {
    const { machine, code, plugin } = await leased('L5');
    const kept = machine.keyFile as string;
    const elsewhere = await fileFor(computer('L6'), code);
    const other = await makeProduct(world.server, world.ada.token);
    await call(world.server, 'GET', `/api/products/${other.id}/rsa`, { token: world.ada.token });
    const [foreign] = await makeSerials(world.server, world.ada.token, other.id, { quantity: 1 });
    await redeem(world.server, (foreign as { code: string }).code, 'nina@example.com', world.ada.id);
    const keyFile = { license_key: code, machine_id: 'L5', app: `${world.product.name} 1.2.0` };
    const { text: lasting } = await world.licensing('keyfile', { ...keyFile, lease_days: 5 });
    const wrong = [
      elsewhere,
      await fileFor(machine, (foreign as { code: string }).code),
      lasting,
      kept.slice(0, -40),
      '',
    ];
    for (const text of wrong) {
      expect(await take(machine, plugin, text)).toEqual({ unlocked: true, message: NOT_FOR_HERE });
      expect(machine.keyFile).toBe(kept);
    }
    const bare = await open(computer('L7'), { RSA_PUBLIC_KEY: '{{RSA_PUBLIC_KEY}}' });
    expect(await take(machine, bare, kept)).toEqual({ unlocked: false, message: NOT_FOR_HERE });
  });

  it('takes no file that has expired, and keeps the one that it has', async () => {
    const { machine, code, plugin } = await leased('L9');
    const old = machine.keyFile as string;
    await pass(machine, 50);
    await take(machine, plugin, await fileFor(machine, code, plugin));
    const kept = machine.keyFile;
    await pass(machine, 20);
    expect(await take(machine, plugin, old)).toEqual({ unlocked: true, message: EXPIRED });
    expect(machine.keyFile).toBe(kept);
  });

  it('gets a key file without an end when it is online after its lease', async () => {
    const { machine, code } = await leased('L8');
    await pass(machine, 61);
    const plugin = await open(machine);
    expect(stateOf(plugin)).toEqual([false, false]);
    machine.online = true;
    const told = await plugin.after('activate', code, 'Nina', 'Simone', 'nina@example.com');
    expect(told).toEqual({ unlocked: true, message: '' });
    expect(machine.keyFile).not.toContain('Expires: ');
    machine.online = false;
    expect(stateOf(await open(machine))).toEqual([true, true]);
  });
});

describe('an unlock for good', () => {
  const unlockOf = async ({ id, name } = world.product) => {
    const { token } = world.ada;
    await call(world.server, 'GET', `/api/products/${id}/rsa`, { token });
    await call(world.server, 'POST', `/api/products/${id}/unlock`, { token, body: { product_name: name } });
    return (await call(world.server, 'POST', `/api/products/${id}/unlock/download`, { token })).text;
  };

  it('is taken without HISE’s unlocker, on every computer, for ever and without a server', async () => {
    const text = await unlockOf();
    for (const id of ['L40', 'L41']) {
      const machine = computer(id);
      const plugin = await world.open(machine);
      expect(plugin.told.at(-1)).toEqual({ unlocked: false, message: LOCKED });
      expect(await take(machine, plugin, text)).toEqual({ unlocked: true, message: '' });
      machine.now += 36_500 * DAY;
      const again = await world.open(machine);
      expect([again.told.at(-1), plugin.sent, again.sent]).toEqual([{ unlocked: true, message: '' }, [], []]);
    }
  });

  it('is not taken away by a revocation: nothing is asked any more', async () => {
    const machine = world.machine('L42');
    const { serial, plugin } = await world.activated(machine);
    expect(await take(machine, plugin, await unlockOf())).toEqual({ unlocked: true, message: '' });
    await world.revoke(serial);
    const asked = plugin.sent.length;
    await world.pass(machine, 2);
    await plugin.hourLater();
    const again = await world.open(machine);
    expect([plugin.sent.length, again.sent, again.told.at(-1)?.unlocked]).toEqual([asked, [], true]);
  });

  it('is refused when it is another product’s or not whole, and by HISE’s unlocker, which goes by its own ids', async () => {
    const text = await unlockOf();
    const other = (await makeProduct(world.server, world.ada.token)) as { id: string; name: string };
    const machine = computer('L43');
    const plugin = await world.open(machine);
    for (const wrong of [await unlockOf(other), text.slice(0, -60), text.replace(/#[0-9a-f]{8}/, '#00000000')])
      expect(await take(machine, plugin, wrong)).toEqual({ unlocked: false, message: NOT_FOR_HERE });
    const guarded = await open(machine);
    expect(await take(machine, guarded, text)).toEqual({ unlocked: false, message: NOT_FOR_HERE });
    // HISE itself, whatever a script does
    machine.keyFile = text;
    expect([guarded.unlocker?.loadKeyFile(), (await open(machine)).unlocker?.isUnlocked()]).toEqual([0, false]);
  });
});
