import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, makeProduct } from '@tonerow/test-support/http.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../packages/server/src/platform/clock.ts';
import { canRun } from './cpp-support.ts';
import { buildLicense, NO_JUCE } from './juce/build.ts';
import { LicensePlugin } from './juce/license-plugin.ts';
import type { JuceMachine } from './juce/machine.ts';
import { JuceWorld } from './juce/world.ts';

const MISSING = 'License invalid or missing. Please activate.';
const CHECK = 'The license has to be checked. Please connect to the internet.';
const LOCKED = { state: 'locked', message: MISSING };
const UNLOCKED = { state: 'unlocked', message: '' };

const WHAT = 'TonerowLicense with the real JUCE';

describe.runIf(canRun(WHAT, NO_JUCE))(WHAT, () => {
  let world: JuceWorld;
  let program: string;
  let keys: { kid: string; x: string }[];

  beforeAll(async () => {
    program = await buildLicense();
    world = await JuceWorld.start({ lease_days: 60, trial_days: 14 });
    // the developer's first key is made for the first answer that is signed
    const token = world.values.PLUGIN_KEY as string;
    await call(world.server, 'GET', '/api/license/v1/time', { token, headers: { 'x-tonerow-sign': '1' } });
    keys = (await call(world.server, 'GET', `/api/license/v1/jwks?dev=${world.ada.id}`)).body.keys;
  }, 300_000);
  afterEach(async () => {
    for (const end of await world.ended()) expect(end).toEqual({ code: 0, complaints: '' });
  });
  afterAll(() => world?.stop());

  const plugin = async (options: { machine?: JuceMachine; values?: Record<string, string>; pinned?: boolean } = {}) => {
    const machine = options.machine ?? (await world.machine());
    const made = new LicensePlugin(machine, await world.run(program, machine, options.values));
    for (const { kid, x } of options.pinned ? keys : []) await made.say(`pin ${kid} ${x}`);
    return made;
  };
  const activated = async (options: Parameters<typeof plugin>[0] = {}) => {
    const serial = await world.serial();
    const made = await plugin(options);
    await made.say('open');
    expect(await made.say(`activate ${serial.code} nina@example.com`)).toMatchObject(UNLOCKED);
    return { plugin: made, serial };
  };
  /** The license file for a plugin's machine, saved. */
  const licenseFile = async (of: LicensePlugin, { code }: { code: string }) => {
    const machine_file = (await of.say('machine')).said;
    const { status, text } = await world.licensing('offline', {
      license_key: code,
      machine_file,
      email: 'nina@example.com',
    });
    expect(status).toBe(200);
    const where = path.join(of.machine.home, `license-${code}.txt`);
    await writeFile(where, text);
    return where;
  };

  describe('activates', () => {
    it('nobody without a license, and sends no request', async () => {
      expect(await (await plugin()).say('open')).toMatchObject({ ...LOCKED, requests: 0 });
    });

    it('not, and explains why', async () => {
      const driver = await plugin();
      await driver.say('open');
      const tell = async (code: string) => (await driver.say(`activate ${code} nina@example.com`)).message;
      expect(await tell('AAAA-AAAA-AAAA-AAAA')).toBe('Activation failed: License not found.');
      expect(await tell('TEST-FULL-AAAA-AAAA')).toContain('All activations of this license are in use.');
      expect((await driver.say('activate')).message).toBe('Please enter your license key.');
      await driver.say('network off');
      expect(await tell('AAAA')).toBe('Activation failed: The license server could not be reached.');
    });

    it('and is unlocked at once when it is opened again, without the network', async () => {
      const { plugin: driver, serial } = await activated();
      await driver.say('close');
      await driver.say('network off');
      const checkBefore = world.now + 30 * DAY;
      expect(await driver.say('open')).toMatchObject({ ...UNLOCKED, requests: 2, checkBefore, key: serial.code });
    });

    it.each(['signature', 'date', 'nonce', 'signed'])(
      'through a proxy that puts our headers first, of which JUCE 7 loses one on Linux: X-Tonerow-%s',
      async (name) => {
        const first = `x-tonerow-${name}`;
        world.spoofed.lie = async (_heard, truth) => {
          const { headers, ...rest } = await truth();
          const { [first]: ours, ...others } = headers;
          return { ...rest, headers: { ...(ours ? { [first]: ours } : {}), ...others } };
        };
        const { plugin: driver } = await activated({ pinned: true });
        expect(await driver.say('validate')).toMatchObject(UNLOCKED);
      },
    );

    it('and notifies listeners', async () => {
      const driver = await plugin();
      const { changes } = await driver.say('open');
      expect((await driver.say('activate AAAA')).changes).toBeGreaterThan(changes);
    });

    it('and a second key that is refused changes nothing', async () => {
      const { plugin: driver, serial } = await activated();
      for (const other of ['AAAA-AAAA-AAAA-AAAA', 'TEST-RVKD-AAAA-AAAA', 'TEST-ACTV-AAAA-AAAA']) {
        expect(await driver.say(`activate ${other} nina@example.com`)).toMatchObject({
          state: 'unlocked',
          key: serial.code,
        });
      }
      await driver.say('close');
      expect(await driver.say('open')).toMatchObject({ ...UNLOCKED, key: serial.code });
    });

    it('no license of another product, and not by the file of another machine', async () => {
      const { plugin: here, serial } = await activated();
      const there = await plugin();
      await there.say('open');
      await there.say('close');
      const stored = 'Plugin/Plugin.license';
      await mkdir(path.join(there.machine.home, path.dirname(stored)), { recursive: true });
      await copyFile(path.join(here.machine.home, stored), path.join(there.machine.home, stored));
      await there.say('network off');
      expect(await there.say('open')).toMatchObject(LOCKED);
      // nor is its seat moved: this is another computer
      await there.say('network on');
      expect(await there.say('validate')).toMatchObject({ state: 'locked' });
      expect(await world.seats(serial)).toBe(1);
      expect(await here.say('validate')).toMatchObject(UNLOCKED);

      const second = await makeProduct(world.server, world.ada.token);
      const driver = await plugin({ values: { PRODUCT_ID: second.id } });
      await driver.say('open');
      const message = 'Activation failed: This license is for another product.';
      const { code } = await world.serial();
      expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject({ state: 'locked', message });
    });
  });

  describe('validates', () => {
    it('once a day, and goes on with the fresh token that it is given', async () => {
      const { plugin: driver } = await activated();
      expect((await driver.say('refresh')).requests).toBe(2);
      await world.pass(driver.driver, 16);
      const checkBefore = world.now + 30 * DAY;
      expect(await driver.say('refresh')).toMatchObject({ ...UNLOCKED, requests: 3, checkBefore });
    });

    it('and a revocation arrives, and stays', async () => {
      const { plugin: driver, serial } = await activated();
      await world.revoke(serial);
      const message = `${MISSING} (This license has been revoked.)`;
      expect(await driver.say('validate')).toMatchObject({ state: 'locked', message });
      await driver.say('close');
      await driver.say('network off');
      expect(await driver.say('open')).toMatchObject(LOCKED);
    });

    it('and is not locked by a mistake in the plugin key', async () => {
      const { plugin: driver } = await activated();
      await world.server.db.query('update plugin_keys set is_active = false');
      await world.pass(driver.driver, 1);
      expect(await driver.say('validate')).toMatchObject({ state: 'unlocked' });
      await world.server.db.query('update plugin_keys set is_active = true');
    });

    it('and does not keep a host that closes it while the server is silent', async () => {
      const { plugin: driver } = await activated();
      world.spoofed.lie = () => new Promise(() => {});
      await driver.driver.say('leave');
    });

    it('and frees its seat', async () => {
      const { plugin: driver, serial } = await activated();
      expect(await driver.say('deactivate')).toMatchObject({ state: 'locked', message: '', key: '' });
      expect(await world.seats(serial)).toBe(0);
    });
  });

  describe('goes on without the network', () => {
    it('until its token expires, and no clock makes that longer than it was good', async () => {
      const { plugin: driver } = await activated();
      await driver.say('network off');
      await world.pass(driver.driver, 29);
      expect(await driver.say('refresh')).toMatchObject(UNLOCKED);
      await world.pass(driver.driver, 2);
      expect(await driver.say('refresh')).toMatchObject({ state: 'locked', message: CHECK });
      await driver.say('network on');
      expect(await driver.say('refresh')).toMatchObject(UNLOCKED);
      await driver.say('network off');
      await world.pass(driver.driver, 29);
      const { checkBefore } = await driver.say('refresh');
      // set back by 20 days, it counts as the last time that it was good
      await driver.say(`clock ${world.now - 20 * DAY}`);
      expect(await driver.say('refresh')).toMatchObject({ ...UNLOCKED, checkBefore });
      await world.pass(driver.driver, 2);
      expect(await driver.say('refresh')).toMatchObject({ state: 'locked', message: CHECK });
    });

    it.each([2, 400, 36_500])('and is not locked for good by one start with a clock %i days ahead', async (days) => {
      const { plugin: driver } = await activated();
      await driver.say('close');
      await driver.say('network off');
      await driver.say(`clock ${world.now + days * DAY}`);
      expect((await driver.say('open')).state).toBe(days > 30 ? 'locked' : 'unlocked');
      await driver.say('close');
      await driver.say(`clock ${world.now}`);
      expect(await driver.say('open')).toMatchObject(UNLOCKED);
    });

    it('and the server knows the time where the computer does not', async () => {
      const { plugin: driver } = await activated();
      for (const days of [400, -400]) {
        await driver.say('close');
        await driver.say(`clock ${world.now + days * DAY}`);
        expect([days, await driver.say('open')]).toMatchObject([days, UNLOCKED]);
        expect(await driver.say('validate')).toMatchObject(UNLOCKED);
      }
      await driver.say('close');
      await driver.say('network off');
      await driver.say(`clock ${world.now}`);
      expect(await driver.say('open')).toMatchObject(UNLOCKED);
    });
  });

  describe('believes only the keys that it carries', () => {
    it('when it carries some', async () => {
      const { plugin: right } = await activated({ pinned: true });
      expect((await right.say('refresh')).requests).toBe(1);
      const wrong = await plugin();
      await wrong.say(`pin ${keys[0]?.kid} ${'A'.repeat(43)}`);
      await wrong.say('open');
      expect(await wrong.say(`activate ${(await world.serial()).code} nina@example.com`)).toMatchObject({
        state: 'locked',
        message: "Activation failed: The license server's answer could not be verified.",
      });
    });
  });

  describe('takes an offline license file', () => {
    it('on a computer that never sees the network, and plays until it expires', async () => {
      const driver = await plugin({ pinned: true });
      await driver.say('network off');
      await driver.say('open');
      const file = await licenseFile(driver, await world.serial());
      const checkBefore = world.now + 60 * DAY;
      expect(await driver.say(`read ${file}`)).toMatchObject({ ...UNLOCKED, checkBefore, requests: 0 });
      await driver.say('close');
      await world.pass(driver.driver, 59);
      expect(await driver.say('open')).toMatchObject({ ...UNLOCKED, checkBefore });
      await world.pass(driver.driver, 2);
      expect(await driver.say('refresh')).toMatchObject({ state: 'locked', message: CHECK });
    });

    it('and goes by what lasts longer, an activation or the file', async () => {
      const { plugin: driver, serial } = await activated({ pinned: true });
      await driver.say(`read ${await licenseFile(driver, serial)}`);
      await driver.say('network off');
      await world.pass(driver.driver, 31);
      expect(await driver.say('refresh')).toMatchObject(UNLOCKED);
      await world.pass(driver.driver, 30);
      expect(await driver.say('refresh')).toMatchObject({ state: 'locked', message: CHECK });
      await driver.say('network on');
      expect(await driver.say('refresh')).toMatchObject(UNLOCKED);
    });

    it('that is for it, and keeps what it has', async () => {
      const { plugin: driver } = await activated({ pinned: true });
      const elsewhere = await plugin({ pinned: true });
      await elsewhere.say('open');
      const foreign = await licenseFile(elsewhere, await world.serial());
      const broken = path.join(driver.machine.home, 'broken.txt');
      const file = await licenseFile(driver, await world.serial());
      await writeFile(broken, (await readFile(file, 'utf8')).replace(/^[\w-]{20}/m, 'A'.repeat(20)));
      const message = 'This is not a license file for this plugin on this computer.';
      for (const wrong of [foreign, broken, '/nowhere']) {
        expect(await driver.say(`read ${wrong}`)).toMatchObject({ state: 'unlocked', message });
      }
      await world.pass(driver.driver, 61);
      await driver.say('refresh');
      const expired = 'This license file has expired. Please create a new one.';
      expect(await driver.say(`read ${file}`)).toMatchObject({ state: 'unlocked', message: expired });
    });

    it('and reports what is missing without keys', async () => {
      const driver = await plugin();
      await driver.say('open');
      const file = await licenseFile(driver, await world.serial());
      const message = 'Please activate online: this plugin has no keys that could verify a license file.';
      expect(await driver.say(`read ${file}`)).toMatchObject({ state: 'locked', message });
    });

    it('and a revocation ends it where it arrives', async () => {
      const { plugin: driver, serial } = await activated({ pinned: true });
      await driver.say(`read ${await licenseFile(driver, serial)}`);
      await world.revoke(serial);
      expect(await driver.say('validate')).toMatchObject({ state: 'locked' });
      await driver.say('close');
      expect(await driver.say('open')).toMatchObject({ state: 'locked' });
    });
  });

  describe('has a trial', () => {
    it('that ends, and is the same when it is started again', async () => {
      const driver = await plugin();
      await driver.say('open');
      const checkBefore = world.now + 14 * DAY;
      expect(await driver.say('trial')).toMatchObject({ ...UNLOCKED, trial: true, checkBefore });
      await world.pass(driver.driver, 10);
      expect(await driver.say('trial')).toMatchObject({ ...UNLOCKED, trial: true, checkBefore });
      await driver.say('close');
      expect(await driver.say('open')).toMatchObject({ ...UNLOCKED, trial: true, checkBefore });
      await world.pass(driver.driver, 5);
      expect(await driver.say('refresh')).toMatchObject({ state: 'locked' });
      const message = 'The trial could not be started: The trial on this machine is over.';
      expect(await driver.say('trial')).toMatchObject({ state: 'locked', message });
    });

    it('that a license takes the place of, and never the other way round', async () => {
      const driver = await plugin();
      await driver.say('open');
      await driver.say('trial');
      const { code } = await world.serial();
      expect(await driver.say('activate AAAA-AAAA-AAAA-AAAA n@example.com')).toMatchObject({
        state: 'unlocked',
        trial: true,
      });
      const full = { ...UNLOCKED, trial: false, key: code };
      expect(await driver.say(`activate ${code} nina@example.com`)).toMatchObject(full);
      expect(await driver.say('trial')).toMatchObject(full);
      // a license that has to be checked is checked, and not given up for a trial
      await driver.say('network off');
      await world.pass(driver.driver, 31);
      expect(await driver.say('trial')).toMatchObject({ state: 'locked', key: code });
      await driver.say('network on');
      expect(await driver.say('trial')).toMatchObject(full);
    });
  });

  describe('moves its seat when the computer’s id has changed', () => {
    const changed = async (machine: JuceMachine) => {
      machine.board = `${machine.board}-with-a-new-bios`;
      const driver = await plugin({ machine });
      return driver;
    };

    it('and takes no second one', async () => {
      const { plugin: before, serial } = await activated();
      const old = await world.seated(serial);
      await before.say('close');
      const driver = await changed(before.machine);
      expect(await driver.say('open')).toMatchObject({ ...UNLOCKED, key: serial.code });
      const seated = await world.seated(serial);
      expect([seated.length, seated[0] === old[0]]).toEqual([1, false]);
      await driver.say('close');
      await driver.say('network off');
      expect(await driver.say('open')).toMatchObject(UNLOCKED);
    });

    it('also when its token has expired meanwhile, and as soon as there is a network', async () => {
      const { plugin: before, serial } = await activated();
      await before.say('close');
      await world.pass(before.driver, 31);
      const driver = await changed(before.machine);
      await driver.say('network off');
      const message = "This computer's id has changed. The license server could not be reached.";
      expect(await driver.say('open')).toMatchObject({ state: 'locked', message });
      await driver.say('network on');
      expect(await driver.say('refresh')).toMatchObject({ ...UNLOCKED, key: serial.code });
      expect(await world.seats(serial)).toBe(1);
    });

    it('and is locked when that seat was freed', async () => {
      const { plugin: before, serial } = await activated();
      const [machine_id] = await world.seated(serial);
      await before.say('close');
      await world.licensing('deactivate', { license_key: serial.code, machine_id });
      const driver = await changed(before.machine);
      expect(await driver.say('open')).toMatchObject({ state: 'locked' });
      expect(await world.seats(serial)).toBe(0);
    });
  });
});
