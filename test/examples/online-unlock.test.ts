import { cp } from 'node:fs/promises';
import { makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../packages/server/src/platform/clock.ts';
import { canRun } from './cpp-support.ts';
import { build, NO_JUCE, placeholders } from './juce/build.ts';
import type { Driver, JuceMachine } from './juce/machine.ts';
import { idsOf, said } from './juce/unlocking.ts';
import { dripping, flooding } from './juce/unruly-servers.ts';
import { JuceWorld } from './juce/world.ts';
import { filled } from './support.ts';

const WHAT = 'OnlineUnlock with the real JUCE';

describe.runIf(canRun(WHAT, NO_JUCE))(WHAT, () => {
  let world: JuceWorld;
  let program: string;

  beforeAll(async () => {
    program = await build('online-unlock', {
      sources: ['online-unlock.cpp', 'machine.cpp'],
      defines: ['TONEROW_MOST_MILLISECONDS=8000u'],
      filled: { 'OnlineUnlock.h': filled('juce/OnlineUnlock.h', placeholders) },
    });
    world = await JuceWorld.start({ lease_days: 60 });
  }, 300_000);
  afterEach(async () => {
    for (const end of await world.ended()) expect(end).toEqual({ code: 0, complaints: '' });
  });
  afterAll(() => world?.stop());

  const open = async (machine: JuceMachine) => {
    const driver = await world.run(program, machine);
    await driver.say('open');
    return driver;
  };
  const unlocked = async () => {
    const machine = await world.machine();
    const driver = await open(machine);
    const serial = await world.serial();
    const done = await said(driver, `unlock nina@example.com ${serial.code}`);
    expect(done).toEqual({ allowed: true, juce: true, expires: 0, text: 'succeeded: Your plugin is unlocked.' });
    return { machine, driver, serial };
  };
  const file = (name: string, text: string) => world.file(name, text);
  /** The offline license file for a machine. */
  const licenseFile = async (driver: Driver, serial: { code: string }, app = world.product.name) => {
    const [machine_id] = await idsOf(driver);
    const machine_file = JSON.stringify({ machine_id, app });
    const { status, text } = await world.licensing('offline', {
      license_key: serial.code,
      machine_file,
      email: 'nina@example.com',
    });
    expect(status).toBe(200);
    return text;
  };

  describe('unlocks', () => {
    it('as JUCE’s form does it, and is unlocked at the next start without the network', async () => {
      const { driver, serial } = await unlocked();
      await driver.say('close');
      await driver.say('network off');
      expect(await said(driver, 'open')).toMatchObject({ allowed: true, juce: true });
      // as in JUCE's documentation
      expect(await said(driver, 'load')).toMatchObject({ allowed: true, juce: true });
      expect(await world.seats(serial)).toBe(1);
    });

    it('not, and explains why', async () => {
      const driver = await open(await world.machine());
      const tell = async (code: string) => said(driver, `unlock nina@example.com ${code}`);
      expect(await tell('AAAA-AAAA-AAAA-AAAA')).toMatchObject({
        allowed: false,
        text: 'failed: License not found.',
      });
      expect((await tell('TEST-FULL-AAAA-AAAA')).text).toContain('All activations of this license are in use.');
      await driver.say('network off');
      expect((await tell('AAAA')).text).toContain("failed: Couldn't connect to 127.0.0.1...");
    });

    it('not by a key file that is not for this computer or product, whoever sends it', async () => {
      const { driver, serial } = await unlocked();
      const other = await unlocked();
      const foreign = (await said(other.driver, 'stored tonerow_key_file')).text as string;
      for (const key of [foreign, 'Keyfile for nothing at all', '#123456']) {
        world.spoofed.lie = () => ({
          status: 200,
          headers: {},
          body: `<MESSAGE message="Hi"><KEY>${key}</KEY></MESSAGE>`,
        });
        const text = "failed: The server's key file is not for this computer. Is its clock right?";
        expect(await said(driver, `unlock nina@example.com ${serial.code}`)).toMatchObject({
          allowed: true,
          juce: true,
          text,
        });
      }
      world.spoofed.lie = null;
      await driver.say('close');
      expect(await said(driver, 'open')).toMatchObject({ allowed: true, juce: true });
    });

    it('by a key file that its developer applies with JUCE’s own functions', async () => {
      const { driver, machine } = await unlocked();
      const keyFile = await file('own.txt', (await said(driver, 'stored tonerow_key_file')).text as string);
      for (const name of ['key_file', 'unlock', 'license_key']) await driver.say(`forget tonerow_${name}`);
      await driver.say('close');
      const again = await open(machine);
      expect(await said(again, 'ids')).toMatchObject({ allowed: false, juce: false });
      expect(await said(again, `apply ${keyFile}`)).toMatchObject({ allowed: true, juce: true });
    });
  });

  describe('goes by an id that does not change', () => {
    it('and needs no second seat when another one does', async () => {
      const { machine, driver, serial } = await unlocked();
      const [unique, old] = await idsOf(driver);
      expect(await world.seated(serial)).toEqual([unique]);
      await driver.say('close');
      // as a new network card, or a new disk
      const moved = await world.machine();
      moved.board = machine.board;
      const again = await open(moved);
      const ids = await idsOf(again);
      expect([ids[0], ids[1] === old]).toEqual([unique, false]);
      expect(await said(again, `unlock nina@example.com ${serial.code}`)).toMatchObject({ allowed: true });
      expect(await world.seated(serial)).toEqual([unique]);
    });

    it('and takes over what an older version had unlocked, with its seat', async () => {
      const { machine, driver, serial } = await unlocked();
      const [unique, old] = (await idsOf(driver)) as [string, string];
      // a key file for the old id, as older versions asked for it, and in JUCE's own state alone
      await world.licensing('deactivate', { license_key: serial.code, machine_id: unique });
      const body = { license_key: serial.code, machine_id: old, email: 'nina@example.com', app: world.product.name };
      const keyFile = await file('old.txt', (await world.licensing('keyfile', body)).text);
      expect(await world.seated(serial)).toEqual([old]);
      await driver.say('forget tonerow_key_file');
      await driver.say('tamper');
      await driver.say(`apply ${keyFile}`);
      await driver.say('forget tonerow_key_file');
      await driver.say('close');

      const again = await open(machine);
      expect(await said(again, 'ids')).toMatchObject({ allowed: true, juce: true });
      await world.pass(again, 2);
      expect(await said(again, 'validate')).toMatchObject({ allowed: true, juce: true });
      expect(await world.seated(serial)).toEqual([unique]);
      expect((await said(again, 'stored tonerow_key_file')).text).toContain(`Machine numbers: ${unique}`);
    });
  });

  it('keeps its seat through any number of BIOS updates, and is unlocked by itself', async () => {
    const { machine, driver, serial } = await unlocked();
    await driver.say('close');
    for (const board of ['a new BIOS', 'and another', 'and one more']) {
      machine.board = `${machine.home} ${board}`;
      const again = await open(machine);
      expect(await said(again, 'validate')).toMatchObject({ allowed: true, juce: true });
      expect(await world.seated(serial)).toEqual([(await idsOf(again))[0]]);
      await again.say('close');
    }
  });

  it('takes no seat of another computer with its settings', async () => {
    const { driver, machine, serial } = await unlocked();
    await driver.say('close');
    const other = await world.machine();
    await cp(machine.home, other.home, { recursive: true });
    const copied = await open(other);
    expect(await said(copied, 'validate')).toMatchObject({ allowed: false, juce: false });
    expect(await world.seated(serial)).toEqual([(await idsOf(await open(machine)))[0]]);
  });

  it('takes two computers of one model for two, and the seat along that one of them had as JUCE knew it', async () => {
    const model = async (id: string) => {
      const machine = await world.machine();
      // nothing about its board can be read
      machine.board = '';
      return { machine, id: await file(`machine-id-${id}`, `${id.repeat(32)}\n`) };
    };
    const [one, other] = [await model('a'), await model('b')];
    const serial = await world.serial();
    const before = await open(one.machine);
    expect(await said(before, `unlock nina@example.com ${serial.code}`)).toMatchObject({ allowed: true });
    const [known] = await idsOf(before);
    expect(await world.seated(serial)).toEqual([known]);
    await before.say('close');

    one.machine.machineId = one.id;
    other.machine.machineId = other.id;
    const first = await open(one.machine);
    expect(await said(first, 'validate')).toMatchObject({ allowed: true, juce: true });
    const [own] = (await idsOf(first)) as [string];
    const second = await open(other.machine);
    const theirs = (await idsOf(second))[0] as string;
    expect([own === theirs, await world.seated(serial)]).toEqual([false, [own]]);
    expect(await said(second, `unlock nina@example.com ${serial.code}`)).toMatchObject({ allowed: true });
    expect(await world.seated(serial)).toEqual([own, theirs].sort());
    expect(await said(first, 'validate')).toMatchObject({ allowed: true, juce: true });
  });

  it('waits for no lock in its constructor, and not for ever elsewhere, even if the clock does not go on', async () => {
    const { machine, driver, serial } = await unlocked();
    await driver.say('close');
    const holder = await open(machine);
    expect(await said(holder, 'hold')).toMatchObject({ text: 'held' });
    const again = await world.run(program, machine);
    await again.say('network off');
    expect(await said(again, 'open')).toMatchObject({ allowed: true, juce: true });
    const tries = async () => Number((await said(again, 'locks')).text);
    const opened = await tries();
    // it locks once for each change; a program that waits would try again and again
    expect([opened > 0, opened < 8]).toEqual([true, true]);
    await again.say('network on');
    expect(await said(again, `unlock nina@example.com ${serial.code}`)).toMatchObject({ allowed: true, juce: true });
    expect(await tries()).toBeGreaterThan(opened + 8);
  });

  it('loses nothing of what another host has unlocked meanwhile', async () => {
    const machine = await world.machine();
    const [first, second] = [await open(machine), await open(machine)];
    const serial = await world.serial();
    expect(await said(first, `unlock nina@example.com ${serial.code}`)).toMatchObject({ allowed: true });
    const lease = await file('second-host.txt', await licenseFile(second, await world.serial()));
    expect(await said(second, `read ${lease}`)).toMatchObject({ allowed: true, text: 'taken' });
    for (const driver of [first, second]) await driver.say('close');
    expect(await said(await open(machine), 'stored tonerow_license_key')).toMatchObject({
      allowed: true,
      juce: true,
      text: serial.code,
    });
  });

  it('takes no more than 1 MiB of an answer, and what was under way', async () => {
    const { driver, machine } = await unlocked();
    await driver.say('close');
    const flood = await flooding();
    const large = await world.run(program, machine, { TONEROW_URL: flood.url });
    await large.say('open');
    expect(await said(large, 'validate')).toMatchObject({ allowed: true, juce: true });
    expect(flood.given()).toBeGreaterThan(1_000_000);
    expect(flood.given()).toBeLessThan(32 * 1024 * 1024);
    flood.close();
  });

  it('does not wait for an answer that drips', async () => {
    const { driver, machine } = await unlocked();
    await driver.say('close');
    const drip = await dripping();
    const slow = await world.run(program, machine, { TONEROW_URL: drip.url });
    // it returns when nothing is asked any more
    await slow.say('open');
    expect(await said(slow, 'validate')).toMatchObject({ allowed: true, juce: true });
    drip.close();
  });

  describe('knows a key file that expires', () => {
    it('and plays until then, at every start, and not before it was made', async () => {
      const driver = await open(await world.machine());
      await driver.say('network off');
      const made = world.now;
      const license = await file('lease.txt', await licenseFile(driver, await world.serial()));
      const until = made + 60 * DAY;
      expect(await said(driver, `read ${license}`)).toEqual({
        allowed: true,
        juce: false,
        expires: until,
        text: 'taken',
      });
      await world.pass(driver, 59);
      expect(await said(driver, 'ids')).toMatchObject({ allowed: true });
      await driver.say('close');
      expect(await said(driver, 'open')).toMatchObject({ allowed: true, juce: false, expires: until });
      await driver.say(`clock ${made - 2 * DAY}`);
      expect(await said(driver, 'ids')).toMatchObject({ allowed: false });
      await driver.say(`clock ${until}`);
      expect(await said(driver, 'ids')).toMatchObject({ allowed: false });
      // neither JUCE's own state nor anything else that is stored beside it counts
      await driver.say('tamper');
      await driver.say('close');
      expect(await said(driver, 'open')).toMatchObject({ allowed: false, juce: false, expires: until });
    });

    it('and one that lasts longer, or for ever, stays', async () => {
      const { driver, serial } = await unlocked();
      const license = await file('shorter.txt', await licenseFile(driver, serial));
      expect(await said(driver, `read ${license}`)).toMatchObject({ allowed: true, juce: true, text: 'taken' });
      await world.pass(driver, 61);
      await driver.say('network off');
      expect(await said(driver, 'ids')).toMatchObject({ allowed: true, juce: true });
    });

    it('and is unlocked for ever when it is online after that', async () => {
      const driver = await open(await world.machine());
      const serial = await world.serial();
      const license = await file('after.txt', await licenseFile(driver, serial));
      await said(driver, `read ${license}`);
      await world.pass(driver, 61);
      expect(await said(driver, 'ids')).toMatchObject({ allowed: false });
      const done = await said(driver, `unlock nina@example.com ${serial.code}`);
      expect(done).toMatchObject({ allowed: true, juce: true, text: 'succeeded: Your plugin is unlocked.' });
      expect(await world.seats(serial)).toBe(1);
    });

    it('and refuses a file for another computer or product, or one that has expired, and keeps what it has', async () => {
      const { driver } = await unlocked();
      const elsewhere = await open(await world.machine());
      const serial = await world.serial();
      const wrong = [
        await licenseFile(elsewhere, serial),
        await licenseFile(driver, await world.serial(), 'Another product'),
        (await licenseFile(driver, await world.serial())).slice(0, -40),
        'no license file',
        '',
      ];
      const old = await file('expired.txt', await licenseFile(driver, await world.serial()));
      for (const [index, text] of wrong.entries()) {
        const where = await file(`wrong${index}.txt`, text);
        expect(await said(driver, `read ${where}`)).toMatchObject({ allowed: true, juce: true, text: 'refused' });
      }
      await world.pass(driver, 61);
      expect(await said(driver, `read ${old}`)).toMatchObject({ allowed: true, juce: true, text: 'refused' });
    });
  });

  describe('takes an unlock for good', () => {
    const kept = async (name: string, product?: { id: string; name: string }) =>
      file(name, await world.unlockFile(product));

    it('on every computer, for ever, and without a server', async () => {
      const unlock = await kept('unlock.json');
      for (const _ of ['one computer', 'another']) {
        const machine = await world.machine();
        const driver = await open(machine);
        await driver.say('network off');
        expect(await said(driver, `read ${unlock}`)).toEqual({ allowed: true, juce: true, expires: 0, text: 'taken' });
        await driver.say(`clock ${Date.parse('2120-01-01')}`);
        await driver.say('close');
        expect(await said(driver, 'open')).toMatchObject({ allowed: true, juce: true });
        expect(await said(driver, 'load')).toMatchObject({ allowed: true, juce: true });
      }
    });

    it('and no revocation takes it away again, nor another license its place', async () => {
      const { driver, machine, serial } = await unlocked();
      const other = await open(machine);
      const unlock = await kept('revoked.json');
      expect(await said(driver, `read ${unlock}`)).toMatchObject({ allowed: true, text: 'taken' });
      await world.revoke(serial);
      // this one asks: it has not looked since the other took the file
      for (const each of [driver, other])
        expect(await said(each, 'validate')).toMatchObject({ allowed: true, juce: true });
      const [, , , asked] = await driver.say('ids');
      const [, , , after] = await driver.say('validate');
      expect(after).toBe(asked);
      const next = await world.serial();
      expect(await said(driver, `unlock nina@example.com ${next.code}`)).toMatchObject({ allowed: true, juce: true });
      expect(await world.seated(next)).toEqual([(await idsOf(driver))[0]]);
      await world.revoke(next);
      expect(await said(driver, 'validate')).toMatchObject({ allowed: true, juce: true });
      for (const each of [driver, other]) await each.say('close');
      await driver.say('network off');
      expect(await said(driver, 'open')).toMatchObject({ allowed: true, juce: true });
    });

    it('of its own product alone, and not from anybody else', async () => {
      const driver = await open(await world.machine());
      const second = await makeProduct(world.server, world.ada.token);
      const text = await world.unlockFile();
      const foreign = await kept('foreign.json', second as { id: string; name: string });
      const forged = await file('forged.json', text.replace(/#[0-9a-f]{8}/, '#00000000'));
      const cut = await file('cut.json', text.slice(0, -60));
      for (const where of [foreign, forged, cut])
        expect(await said(driver, `read ${where}`)).toMatchObject({ allowed: false, juce: false, text: 'refused' });
    });
  });

  describe('asks in the background', () => {
    it('and gets a key file again that was lost, for the seat that it has', async () => {
      const { driver, serial } = await unlocked();
      await driver.say('network off');
      for (const name of ['key_file', 'unlock']) await driver.say(`forget tonerow_${name}`);
      await driver.say('close');
      expect(await said(driver, 'open')).toMatchObject({ allowed: false, juce: false });
      await driver.say('network on');
      expect(await said(driver, 'validate')).toMatchObject({ allowed: true, juce: true });
      expect(await world.seats(serial)).toBe(1);
    });

    it('once a day, and a revocation arrives', async () => {
      const { driver, serial } = await unlocked();
      await world.revoke(serial);
      await driver.say('close');
      expect(await said(driver, 'open')).toMatchObject({ allowed: true });
      await world.pass(driver, 1);
      await driver.say('close');
      expect(await said(driver, 'open')).toMatchObject({ allowed: false, juce: false });
      await driver.say('close');
      await driver.say('network off');
      expect(await said(driver, 'open')).toMatchObject({ allowed: false, juce: false });
    });

    it('on request, and reports it', async () => {
      const { driver, serial } = await unlocked();
      const [, , , , before] = await driver.say('validate');
      await world.revoke(serial);
      const [allowed, juce, , , after] = await driver.say('validate');
      expect([allowed, juce, Number(after)]).toEqual(['locked', '-', Number(before) + 1]);
      // the developer changes their mind
      await world.server.db.query('update serials set revoked_at = null where id = $1', [serial.id]);
      expect(await said(driver, 'validate')).toMatchObject({ allowed: true, juce: true });
    });

    it('and locks when the seat was freed elsewhere, without taking another', async () => {
      const { driver, serial } = await unlocked();
      const [machine_id] = await idsOf(driver);
      await world.licensing('deactivate', { license_key: serial.code, machine_id });
      expect(await said(driver, 'validate')).toMatchObject({ allowed: false, juce: false });
      expect(await said(driver, 'validate')).toMatchObject({ allowed: false });
      expect(await world.seats(serial)).toBe(0);
    });

    it.each([
      ['in HTML', { status: 200, body: '<html>Welcome to our hotel</html>' }],
      ['nothing', { status: 200, body: '' }],
      ['that it does not know the plugin', { status: 401, body: '{"ok":false,"status":"unauthorized","error":"x"}' }],
      ['that it is busy', { status: 429, body: '{"ok":false,"status":"rate_limited","error":"x"}' }],
      ['that it is away', { status: 503, body: '{"ok":false,"status":"unavailable","error":"x"}' }],
    ])('and goes on when the server answers %s', async (_, answer) => {
      const { driver } = await unlocked();
      world.spoofed.lie = () => ({ headers: {}, ...answer });
      expect(await said(driver, 'validate')).toMatchObject({ allowed: true, juce: true });
      await driver.say('network off');
      expect(await said(driver, 'validate')).toMatchObject({ allowed: true, juce: true });
    });

    it('and does not keep a host that closes it while a name server is silent', async () => {
      const { driver, machine } = await unlocked();
      await driver.say('close');
      const named = await world.run(program, machine, { TONEROW_URL: 'http://licenses.example.com' });
      await named.say('names off');
      await named.say('open');
      const [state, milliseconds] = await named.say('quit');
      expect([state, Number(milliseconds) < 2000]).toEqual(['closed', true]);
      await named.say('names on');
    });

    it('and does not keep a host that closes it while the server is silent', async () => {
      const { driver } = await unlocked();
      world.spoofed.lie = () => new Promise(() => {});
      expect(await driver.say('leave')).toEqual(['closed', '']);
    });
  });

  it('is not unlocked by a serial of another product', async () => {
    const second = await makeProduct(world.server, world.ada.token);
    const [foreign] = (await makeSerials(world.server, world.ada.token, second.id, { quantity: 1 })) as {
      code: string;
    }[];
    const driver = await open(await world.machine());
    expect(await said(driver, `unlock nina@example.com ${foreign?.code}`)).toMatchObject({
      allowed: false,
      text: 'failed: This license is for another product.',
    });
  });
});
