import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buttonsOf, callPanel, fill, messageOf, titleOf } from './hise/form.ts';
import { HisePlugin } from './hise/host.ts';
import type { HiseMachine } from './hise/machine.ts';
import { textOf } from './hise/values.ts';
import { HiseWorld } from './hise/world.ts';

let world: HiseWorld;
beforeAll(async () => {
  world = await HiseWorld.start({ trial_days: 14 });
});
afterAll(() => world.server.stop());

const open = (machine: HiseMachine) => world.open(machine, { panel: true });
const fillIn = (plugin: HisePlugin, key: string) =>
  fill(plugin, { Key: key, First: 'Nina', Last: 'Simone', Email: 'nina@example.com' });

describe('the form for HISE', () => {
  it('has no names of its own but TonerowPanel and TonerowTexts, and components that all begin with Tonerow', () => {
    const { engine, screen } = new HisePlugin(world.machine('P0'), world.values, { panel: true });
    expect([...engine.namespaces.keys()]).toEqual(['Tonerow', 'TonerowTexts', 'TonerowPanel']);
    expect(engine.topLevelNames()).toEqual([]);
    expect([...screen.components.keys()].filter((name) => !name.startsWith('Tonerow'))).toEqual([]);
  });

  it('activates, goes away, comes back when it is opened, and releases after asking', async () => {
    const plugin = await open(world.machine('P1'));
    const { name } = world.product;
    expect(titleOf(plugin)).toBe(`Activate ${name}`);
    expect(buttonsOf(plugin)).toEqual(['Activate', 'Paste', 'Use a browser', 'Start trial', 'No internet here']);
    await plugin.press('Activate');
    expect(messageOf(plugin)).toBe('Please enter your serial, your name and your email address.');
    const { code } = await world.serial();
    fillIn(plugin, 'AAAA-AAAA-AAAA-AAAA');
    await plugin.press('Activate');
    expect(messageOf(plugin)).toBe('This serial does not exist. Please check it for typos.');
    fillIn(plugin, code);
    await plugin.press('Activate');
    expect([plugin.isUnlocked(), titleOf(plugin)]).toEqual([true, 'hidden']);

    callPanel(plugin, 'open');
    expect(titleOf(plugin)).toBe(`${name} is licensed`);
    await plugin.press('Release this computer');
    expect(titleOf(plugin)).toBe('Release this computer?');
    await plugin.press('Back');
    expect(titleOf(plugin)).toBe(`${name} is licensed`);
    await plugin.press('Continue');
    expect(titleOf(plugin)).toBe('hidden');
    callPanel(plugin, 'open');
    await plugin.press('Release this computer');
    await plugin.press('Release this computer');
    expect([plugin.isUnlocked(), titleOf(plugin)]).toEqual([false, `Activate ${name}`]);
  });

  it('has a button to the customers’ page once that is named', async () => {
    const address = `${world.server.url}/redeem?dev=${world.ada.id}`;
    const script = `TonerowPanel.setProductsPage('${address}');`;
    const plugin = await world.open(world.machine('P9'), { panel: true, script });
    expect(buttonsOf(plugin)).toEqual([
      'Activate',
      'Paste',
      'Use a browser',
      'Start trial',
      'No internet here',
      'My products',
    ]);
    await plugin.press('My products');
    expect(plugin.websites).toEqual([address]);
  });

  it('counts a trial down, and shows when it is over', async () => {
    const machine = world.machine('P2');
    const plugin = await open(machine);
    await plugin.press('Start trial');
    expect(plugin.isUnlocked()).toBe(true);
    callPanel(plugin, 'open');
    expect(titleOf(plugin)).toBe('Trial, days left: 14');
    await world.pass(machine, 3);
    const later = await open(machine);
    callPanel(later, 'open');
    expect(titleOf(later)).toBe('Trial, days left: 11');
    machine.online = false;
    await world.pass(machine, 12);
    const over = await open(machine);
    expect([over.isUnlocked(), titleOf(over)]).toEqual([false, 'The trial has ended']);
    // turning the clock back, and asking for another one, win nothing
    machine.now -= 30 * 86_400_000;
    expect((await open(machine)).isUnlocked()).toBe(false);
    machine.now += 30 * 86_400_000;
    machine.online = true;
    const again = await open(world.machine('P2'));
    await again.press('Start trial');
    expect([again.isUnlocked(), titleOf(again)]).toEqual([false, 'The trial has ended']);
  });

  it('shows that the license was revoked, or that the server has to be asked', async () => {
    const machine = world.machine('P3');
    const serial = await world.serial();
    const plugin = await open(machine);
    fillIn(plugin, serial.code);
    await plugin.press('Activate');
    await world.revoke(serial);
    await world.pass(machine, 2);
    await plugin.hourLater();
    expect([plugin.isUnlocked(), titleOf(plugin)]).toEqual([false, 'This license was revoked']);
    expect(titleOf(await open(machine))).toBe('This license was revoked');

    const other = world.machine('P4');
    const second = await open(other);
    fillIn(second, (await world.serial()).code);
    await second.press('Activate');
    other.online = false;
    await world.pass(other, 31);
    const due = await open(other);
    expect(titleOf(due)).toBe('The license has to be checked');
    await due.press('Check now');
    expect(messageOf(due)).toMatch(/^The license server could not be reached\. Check/);
    other.online = true;
    await due.press('Check now');
    expect([due.isUnlocked(), titleOf(due)]).toEqual([true, 'hidden']);
  });

  it('has the license key ready when the computer has a new id, and moves its seat', async () => {
    const machine = world.machine('P5');
    const serial = await world.serial();
    const plugin = await open(machine);
    fillIn(plugin, serial.code);
    await plugin.press('Activate');
    const updated = world.machine('P5-updated');
    updated.files.set('license.json', machine.files.get('license.json') as string);
    const moved = await open(updated);
    expect(titleOf(moved)).toBe('Activated on another computer');
    expect(moved.screen.textIn('TonerowKey')).toBe(serial.code);
    fillIn(moved, moved.screen.textIn('TonerowKey'));
    await moved.press('Activate');
    expect(moved.isUnlocked()).toBe(true);
    const seats = await world.server.db.query<{ machine_id: string }>(
      'select machine_id from activations where serial_id = $1 and released_at is null',
      [serial.id],
    );
    expect(seats).toEqual([{ machine_id: 'P5-updated' }]);
  });

  it('offers no trial where HISE itself locks the plugin, and its machine file is the user’s to place', async () => {
    const machine = world.machine('P6');
    const plugin = await world.open(machine, { panel: true, publicKey: world.publicKey });
    expect(buttonsOf(plugin)).toEqual(['Activate', 'Paste', 'Use a browser', 'No internet here']);
    await plugin.press('No internet here');
    expect(titleOf(plugin)).toBe('Without internet');
    plugin.chosen.push(machine.file('machine.json'));
    await plugin.press('Save machine file');
    expect(JSON.parse(machine.files.get('machine.json') as string)).toMatchObject({ machine_id: 'P6' });
    machine.files.set('wrong.txt', 'nothing');
    plugin.chosen.push(machine.file('wrong.txt'));
    await plugin.press('Load license file');
    expect(messageOf(plugin)).toBe(`This is not a license file for ${world.product.name} on this computer.`);
    await plugin.press('Back');
    expect(titleOf(plugin)).toBe(`Activate ${world.product.name}`);
  });

  it('has every text replaceable, and fits where it is put', async () => {
    const words = ['welcomeTitle', 'activate', 'serial'];
    const script = words.map((word) => `TonerowPanel.setText("${word}", "<${word}>");`).join('\n');
    const plugin = new HisePlugin(world.machine('P7'), world.values, { panel: true, script });
    await plugin.startPanel(320, 400);
    expect(titleOf(plugin)).toBe('<welcomeTitle>');
    expect([plugin.screen.textIn('TonerowButton1'), plugin.screen.textIn('TonerowKeyName')]).toEqual([
      '<activate>',
      '<serial>',
    ]);
    for (const { name, place, properties } of plugin.screen.shown()) {
      const [x = -1, y = -1, width = 0, height = 0] = place;
      expect([name, x >= 0, y >= 0, x + width <= 320, y + height <= 400]).toEqual([name, true, true, true, true]);
      if (name !== 'TonerowBack') expect(textOf(properties.get('parentComponent') ?? '')).toBe('TonerowBack');
    }
  });
});
