import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../packages/server/src/platform/clock.ts';
import { canRun } from './cpp-support.ts';
import { build, NO_JUCE } from './juce/build.ts';
import { JuceWorld } from './juce/world.ts';

const WHAT = 'a plugin with JUCE’s own request code';

describe.runIf(canRun(WHAT, NO_JUCE))(WHAT, () => {
  let world: JuceWorld;
  let program: string;

  beforeAll(async () => {
    program = await build('stock', { sources: ['stock.cpp', 'machine.cpp'] });
    world = await JuceWorld.start();
  }, 300_000);
  afterEach(async () => {
    for (const end of await world.ended()) expect(end).toEqual({ code: 0, complaints: '' });
  });
  afterAll(() => world?.stop());

  /** The plugin key is in the URL's query, which JUCE moves into the body of a POST. */
  const plugin = async (values: Record<string, string> = {}, query?: string) => {
    const { DEVELOPER_ID, PLUGIN_KEY } = world.values;
    const credentials = query ?? `?app_id=${DEVELOPER_ID}&app_key=${PLUGIN_KEY}`;
    const UNLOCK_URL = `${world.server.url}/api/license/juce/unlock${credentials}`;
    const driver = await world.run(program, await world.machine(), { UNLOCK_URL, METHOD: 'POST', ...values });
    const say = async (line: string) => {
      const [state, expires, email, said] = await driver.say(line);
      return { state, expires: Number(expires), email, said };
    };
    return { say };
  };
  const unlocked = { state: 'unlocked', said: 'succeeded: Your plugin is unlocked.' };

  it.each(['POST', 'GET'])('is unlocked by %s with its key in the address, for good', async (METHOD) => {
    const { say } = await plugin({ METHOD });
    const serial = await world.serial();
    const email = 'nina+music@example.com';
    expect(await say(`unlock ${email} ${serial.code}`)).toMatchObject({ ...unlocked, email });
    expect(await say('again')).toMatchObject({ state: 'unlocked' });
    expect(await say(`unlock ${email} ${serial.code}`)).toMatchObject(unlocked);
    expect(await world.seats(serial)).toBe(1);
  });

  it.each([
    ['without credentials', ''],
    ['with a wrong key', '?app_id=x&app_key=y'],
    ['with half of them', '?app_key=tnr_plg_0'],
  ])('is told so %s', async (_, query) => {
    const { say } = await plugin({}, query);
    const serial = await world.serial();
    const { state, said } = await say(`unlock nina@example.com ${serial.code}`);
    expect([state, said]).toEqual(['locked', 'failed: The plugin key is missing, unknown or inactive.']);
    expect(await world.seats(serial)).toBe(0);
  });

  it('is unlocked under its name with a version, in capitals, or its id', async () => {
    const { name, id } = world.product;
    for (const PRODUCT_NAME of [`${name} 1.2.0`, name.toUpperCase(), id]) {
      const { say } = await plugin({ PRODUCT_NAME });
      const { code } = await world.serial();
      expect([PRODUCT_NAME, await say(`unlock nina@example.com ${code}`)]).toMatchObject([PRODUCT_NAME, unlocked]);
    }
  });

  it('of another product is refused, and redeems nothing', async () => {
    const second = await makeProduct(world.server, world.ada.token);
    for (const PRODUCT_NAME of ['Whatever', second.name, '']) {
      const { say } = await plugin({ PRODUCT_NAME });
      const serial = await world.serial();
      expect(await say(`unlock nina@example.com ${serial.code}`)).toMatchObject({ state: 'locked' });
      const [row] = await world.server.db.query<{ redeemed_at: Date | null }>(
        'select redeemed_at from serials where id = $1',
        [serial.id],
      );
      expect([PRODUCT_NAME, row?.redeemed_at, await world.seats(serial)]).toEqual([PRODUCT_NAME, null, 0]);
    }
    const [foreign] = (await makeSerials(world.server, world.ada.token, second.id, { quantity: 1 })) as {
      code: string;
    }[];
    const { say } = await plugin();
    const said = 'failed: This license is for another product.';
    expect(await say(`unlock nina@example.com ${foreign?.code}`)).toMatchObject({ state: 'locked', said });
  });

  it('learns why a serial is refused', async () => {
    const { say } = await plugin();
    expect(await say('unlock nina@example.com AAAA-AAAA')).toMatchObject({ said: 'failed: License not found.' });
    const serial = await world.serial();
    await say(`unlock nina@example.com ${serial.code}`);
    await world.revoke(serial);
    expect(await say(`unlock nina@example.com ${serial.code}`)).toMatchObject({
      said: 'failed: This license has been revoked.',
    });
  });

  it('takes key files that were made for it, and no other', async () => {
    const { say } = await plugin();
    const [machine] = ((await say('ids')).said ?? '').split(',') as [string];
    const app = world.product.name;
    const made = async (name: string, fields: object) => {
      const { code } = await world.serial();
      const { status, text } = await world.licensing('keyfile', {
        license_key: code,
        email: 'nina@example.com',
        ...fields,
      });
      expect(status).toBe(200);
      const file = path.join(world.folder, name);
      await writeFile(file, text);
      return file;
    };
    const refused = { state: 'locked', said: 'refused' };
    expect(await say(`apply ${await made('elsewhere', { machine_id: 'LAAAAAAAAA', app })}`)).toMatchObject(refused);
    expect(await say(`apply ${await made('other', { machine_id: machine, app: 'Other' })}`)).toMatchObject(refused);
    const leased = await made('leased', { machine_id: machine, app, lease_days: 30 });
    const expires = world.now + 30 * DAY;
    expect(await say(`apply ${leased}`)).toEqual({
      state: 'locked',
      expires,
      email: 'nina@example.com',
      said: 'applied',
    });
    const both = await made('both', { machine_ids: ['LAAAAAAAAA', machine], app });
    expect(await say(`apply ${both}`)).toMatchObject({ state: 'unlocked', said: 'applied' });
    expect(await say('again')).toMatchObject({ state: 'unlocked' });
  });

  it('is unlocked on every computer, for ever and without a server, by the file of an unlock for good', async () => {
    const nowhere = { UNLOCK_URL: 'http://127.0.0.1:1', EVERY_COMPUTER: 'yes' };
    const kept = path.join(world.folder, 'unlock.json');
    await writeFile(kept, await world.unlockFile());
    for (const _ of ['one computer', 'another']) {
      const { say } = await plugin(nowhere);
      expect(await say(`apply ${kept}`)).toMatchObject({ state: 'unlocked', expires: 0, said: 'applied' });
      await say(`clock ${Date.parse('2120-01-01')}`);
      expect(await say('again')).toMatchObject({ state: 'unlocked' });
    }
    const second = await makeProduct(world.server, world.ada.token);
    const foreign = path.join(world.folder, 'foreign.json');
    await writeFile(foreign, await world.unlockFile(second as { id: string; name: string }));
    const { say } = await plugin(nowhere);
    expect(await say(`apply ${foreign}`)).toMatchObject({ state: 'locked', said: 'refused' });
    // JUCE has no mark for every computer: a plugin that does not name it never takes the file
    const older = await plugin({ ...nowhere, EVERY_COMPUTER: '' });
    expect(await older.say(`apply ${kept}`)).toMatchObject({ state: 'locked', said: 'refused' });
  });
});
