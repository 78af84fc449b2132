import { randomUUID } from 'node:crypto';
import { call, redeem } from '@tonerow/test-support/http.ts';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiseTexts } from '../../scripts/plugin/hise-texts.ts';
import {
  bodyOf,
  buttonsOf,
  callPanel,
  codeOn,
  constant,
  fill,
  messageOf,
  qrIn,
  qrOf,
  showScreen,
  showSeats,
  titleOf,
} from './hise/form.ts';
import { HisePlugin } from './hise/host.ts';
import { misplaced, tight } from './hise/layout.ts';
import type { HiseMachine } from './hise/machine.ts';
import { int, toScript } from './hise/values.ts';
import { HiseWorld } from './hise/world.ts';

let world: HiseWorld;
beforeAll(async () => {
  world = await HiseWorld.start({ trial_days: 14, max_activations: 1 });
});
afterAll(() => world.server.stop());

const HOUR = 3_600_000;
const address = () => `nina-${randomUUID()}@example.com`;
const names = { First: 'Nina', Last: 'Simone' };
const open = (machine: HiseMachine, options: Parameters<HiseWorld['open']>[1] = {}) =>
  world.open(machine, { panel: true, ...options });
/** A redeemed serial, and what its owner answers with in the browser. */
async function sold() {
  const email = address();
  const { code } = await world.serial();
  const token = (await redeem(world.server, code, email, world.ada.id)).body.download_token as string;
  return { email, serial: code, token };
}
async function activated(machine: HiseMachine, { email, serial }: { email: string; serial: string }) {
  const plugin = await open(machine);
  fill(plugin, { Key: serial, ...names, Email: email });
  await plugin.press('Activate');
  return plugin;
}
const emailTo = (email: string, wanted: RegExp) =>
  world.server.email(
    (each: Email) => each.to?.[0]?.address === email && wanted.test(`${each.subject}\n${each.text ?? ''}`),
  );
const answer = (verb: 'confirm' | 'deny', user_code: string, more: object = {}) =>
  call(world.server, 'POST', `/api/redeem/device/${verb}`, { body: { dev: world.ada.id, user_code, ...more } });
/** Time goes by until the script asks again. */
async function pass(plugin: HisePlugin, machine: HiseMachine, seconds: number) {
  world.clock.advance(seconds * 1000);
  machine.now += seconds * 1000;
  return plugin.elapse(seconds * 1000);
}
const polls = (plugin: HisePlugin) => plugin.sent.filter((path) => path.endsWith('/device/token')).length;

describe('the form for HISE, confirmed in a browser', () => {
  it('shows the page and its code, asks as often as it may, and is activated without a typed key', async () => {
    const { serial, token } = await sold();
    const machine = world.machine('B1');
    const plugin = await open(machine);
    await plugin.press('Use a browser');
    const code = codeOn(plugin);
    const page = `${world.server.url}/redeem?dev=${world.ada.id}#device=${code}`;
    expect(titleOf(plugin)).toBe('Confirm in your browser');
    expect(bodyOf(plugin)).toContain(page);
    expect(buttonsOf(plugin)).toEqual(['Open page', 'Copy address', 'Cancel']);
    plugin.screen.drawn();
    expect(qrOf(plugin).length).toBeGreaterThan(20);
    expect(qrIn(plugin)).toEqual(qrOf(plugin));
    await plugin.press('Copy address');
    await plugin.press('Open page');
    expect([machine.clipboard, plugin.websites]).toEqual([page, [page]]);

    // the server named five seconds; who asks sooner waits five longer from then on
    expect([plugin.ticking, polls(plugin)]).toEqual([[HOUR, 5000], 0]);
    await pass(plugin, machine, 5);
    expect([plugin.ticking, titleOf(plugin)]).toEqual([[HOUR, 5000], 'Confirm in your browser']);
    await plugin.elapse(5000);
    expect([plugin.ticking, polls(plugin)]).toEqual([[HOUR, 10_000], 2]);
    // a network that comes and goes ends nothing
    machine.online = false;
    await pass(plugin, machine, 10);
    machine.online = true;
    expect(titleOf(plugin)).toBe('Confirm in your browser');
    await answer('confirm', code, { token, serial });
    await pass(plugin, machine, 10);
    expect([plugin.isUnlocked(), titleOf(plugin), plugin.ticking]).toEqual([true, 'hidden', [HOUR]]);
    plugin.screen.drawn();
    expect(qrIn(plugin)).toEqual([]);
    expect(plugin.state.license_key).toBe(serial);
    expect((await open(machine)).isUnlocked()).toBe(true);
  });

  it('brings HISE its key file where HISE locks the plugin', async () => {
    const { serial, token } = await sold();
    const machine = world.machine('B2');
    const plugin = await open(machine, { publicKey: world.publicKey });
    await plugin.press('Use a browser');
    await answer('confirm', codeOn(plugin), { token, serial });
    await pass(plugin, machine, 5);
    expect([plugin.isUnlocked(), titleOf(plugin)]).toEqual([true, 'hidden']);
    expect(machine.keyFile).toContain('Machine numbers: B2');
  });

  it('shows that it was denied, or that its time is over', async () => {
    const machine = world.machine('B3');
    const plugin = await open(machine);
    await plugin.press('Use a browser');
    await answer('deny', codeOn(plugin));
    await pass(plugin, machine, 5);
    expect([titleOf(plugin), messageOf(plugin)]).toEqual([
      `Activate ${world.product.name}`,
      'It was denied in the browser.',
    ]);
    await plugin.press('Use a browser');
    await pass(plugin, machine, 5);
    machine.online = false;
    machine.now += HOUR;
    await plugin.elapse(5000);
    expect([messageOf(plugin), plugin.ticking]).toEqual(['The code has expired. Please start again.', [HOUR]]);
    machine.online = true;
    await plugin.press('Use a browser');
    world.clock.advance(HOUR);
    await plugin.elapse(5000);
    expect(messageOf(plugin)).toBe('The code has expired. Please start again.');
  });

  it('stops when it is canceled, also where an answer is under way', async () => {
    const { serial, token } = await sold();
    const machine = world.machine('B4');
    const plugin = await open(machine);
    await plugin.press('Use a browser');
    await answer('confirm', codeOn(plugin), { token, serial });
    world.clock.advance(5000);
    const late = plugin.elapse(5000);
    await plugin.press('Cancel');
    await late;
    expect([plugin.isUnlocked(), titleOf(plugin), plugin.ticking]).toEqual([
      false,
      `Activate ${world.product.name}`,
      [HOUR],
    ]);
    await plugin.press('Use a browser');
    await answer('confirm', codeOn(plugin), { token, serial });
    await pass(plugin, machine, 5);
    expect(plugin.isUnlocked()).toBe(true);
  });

  it('opens no address that a stranger names', async () => {
    const plugin = await open(world.machine('B5'), { values: { TONEROW_URL: 'http://127.0.0.1:1' } });
    const told = plugin.engine.namespaces.get('Tonerow')?.inlineFunctions.get('paged');
    told?.call([
      int(200),
      toScript({ ok: true, device_code: 'x', user_code: 'BCDF-GHJK', verification_uri_complete: 'file:///etc/passwd' }),
    ]);
    expect([messageOf(plugin), plugin.websites]).toEqual([expect.stringMatching(/but not the license server/), []]);
  });
});

describe('the form for HISE, when all computers are in use', () => {
  it('releases another one with a code from the owner’s email, and takes its seat', async () => {
    const owner = await sold();
    await activated(world.machine('S1'), owner);
    const plugin = await activated(world.machine('S2'), owner);
    expect(titleOf(plugin)).toBe('All computers are in use');
    expect(buttonsOf(plugin)).toEqual(['Release another computer', 'Try again', 'No internet here', 'Back']);
    await plugin.press('Release another computer');
    expect([titleOf(plugin), bodyOf(plugin)]).toEqual([
      'Enter the code',
      'We sent a code to the email address of this serial’s owner.',
    ]);
    const sent = await emailTo(owner.email, /Code/);
    fill(plugin, { Code: 'BBBB-BBBB' });
    await plugin.press('Show computers');
    expect(messageOf(plugin)).toBe('This code is wrong, or it has expired.');
    fill(plugin, { Code: /\b[B-Z]{4}-[B-Z]{4}\b/.exec(sent.text ?? '')?.[0] as string });
    await plugin.press('Show computers');
    expect(titleOf(plugin)).toBe('Which computer?');
    const [seat = ''] = buttonsOf(plugin);
    expect(seat).toMatch(/^Studio.*March \d+, 2026/);
    await plugin.press(seat);
    expect(titleOf(plugin)).toMatch(/Studio/);
    await plugin.press('Release it');
    expect([plugin.isUnlocked(), titleOf(plugin)]).toEqual([true, 'hidden']);
    expect(await seatsOf(owner.serial)).toEqual([{ machine_id: 'S2' }]);
  });

  it('needs no code after the owner has confirmed by the link of an email', async () => {
    const owner = await sold();
    await activated(world.machine('S3'), owner);
    const machine = world.machine('S4');
    const plugin = await open(machine);
    await call(world.server, 'POST', '/api/redeem/my-products', { body: { dev: world.ada.id, email: owner.email } });
    const link = /https?:\S+open=\S+/.exec((await emailTo(owner.email, /open=/)).text ?? '')?.[0] as string;
    const token = new URL(link).searchParams.get('open');
    await plugin.press('Use a browser');
    await answer('confirm', codeOn(plugin), { token, serial: owner.serial });
    await pass(plugin, machine, 5);
    expect(titleOf(plugin)).toBe('All computers are in use');
    await plugin.press('Release another computer');
    expect(titleOf(plugin)).toBe('Which computer?');
    await plugin.press(buttonsOf(plugin)[0] as string);
    await plugin.press('Release it');
    expect([plugin.isUnlocked(), titleOf(plugin)]).toEqual([true, 'hidden']);
    expect(await seatsOf(owner.serial)).toEqual([{ machine_id: 'S4' }]);
  });

  it('lists four computers at a time', async () => {
    const plugin = await open(world.machine('S5'));
    await showSeats(plugin, 6);
    expect(buttonsOf(plugin).map((each) => each.slice(0, 5))).toEqual([
      'Mac 0',
      'Mac 1',
      'Mac 2',
      'Mac 3',
      'More',
      'Back',
    ]);
    await plugin.press('More');
    expect(buttonsOf(plugin).map((each) => each.slice(0, 5))).toEqual(['Mac 4', 'Mac 5', 'More', 'Back']);
    await plugin.press(buttonsOf(plugin)[1] as string);
    expect(titleOf(plugin)).toMatch(/Mac 5/);
    await plugin.press('Back');
    await plugin.press('More');
    expect(buttonsOf(plugin)[0]).toMatch(/^Mac 0/);
  });
});

const seatsOf = (serial: string) =>
  world.server.db.query(
    'select a.machine_id from activations a join serials s on s.id = a.serial_id where s.code = $1 and a.released_at is null',
    [serial],
  );

describe('the form for HISE, about newer versions', () => {
  it('shows what is new once a day where it is wanted, and opens the page of the products', async () => {
    const fresh = await HiseWorld.start({ trial_days: 14 });
    try {
      const asked = (plugin: HisePlugin) => plugin.sent.filter((path) => path.endsWith('/updates')).length;
      const machine = fresh.machine('U1');
      const quiet = await fresh.open(machine, { panel: true });
      await quiet.press('Start trial');
      await quiet.hourLater();
      expect(asked(quiet)).toBe(0);

      const own = { token: fresh.ada.token };
      const file_urls = [{ name: 'macOS', url: 'https://cdn.example.com/glass.pkg' }];
      await call(fresh.server, 'PUT', `/api/products/${fresh.product.id}`, { ...own, body: { file_urls } });
      const version = { name: '2.0.0', notes: 'Less noise {product}.' };
      await call(fresh.server, 'POST', `/api/products/${fresh.product.id}/file-versions`, { ...own, body: version });
      await fresh.pass(machine, 0.1);
      const options = { panel: true, script: 'Tonerow.setLooksForUpdates(true);' };
      const plugin = await fresh.open(machine, options);
      await plugin.hourLater();
      callPanel(plugin, 'open');
      expect(asked(plugin)).toBe(1);
      await plugin.press('Version 2.0.0 is available');
      expect([titleOf(plugin), bodyOf(plugin)]).toEqual([`${fresh.product.name} 2.0.0`, 'Less noise {product}.']);
      await plugin.press('Open its page');
      expect(plugin.websites).toEqual([expect.stringMatching(new RegExp(`^${fresh.server.url}/redeem`))]);
      await plugin.press('Back');
      expect(titleOf(plugin)).toMatch(/^Trial/);

      // known without asking, until that version is installed
      const next = await fresh.open(machine, options);
      callPanel(next, 'open');
      expect([asked(next), buttonsOf(next).includes('Version 2.0.0 is available')]).toEqual([0, true]);
      machine.version = '2.0.0';
      const newer = await fresh.open(machine, options);
      callPanel(newer, 'open');
      expect(buttonsOf(newer).some((each) => each.startsWith('Version'))).toBe(false);
      machine.online = false;
      await fresh.pass(machine, 2);
      await newer.hourLater();
      expect([asked(newer), messageOf(newer)]).toEqual([1, '']);
    } finally {
      await fresh.server.stop();
    }
  });
});

describe('the form for HISE, when something went wrong', () => {
  it('shows what was tried, copies it without a key or names, and tries again', async () => {
    const owner = await sold();
    const machine = world.machine('E1');
    machine.online = false;
    const plugin = await activated(machine, owner);
    expect(messageOf(plugin)).toMatch(/^The license server could not be reached\. Check/);
    await plugin.press('Details');
    expect(titleOf(plugin)).toBe('What went wrong');
    const host = new URL(world.server.url).host;
    expect(bodyOf(plugin)).toMatch(
      new RegExp(`License server: ${host}\nAnswer: none\nTime: March \\d+, 2026 \\d\\d:\\d\\d$`),
    );
    await plugin.press('Copy diagnostics');
    expect(machine.clipboard).toMatch(/notice: unreachable\n[\s\S]*version: 1\.2\.0\n/);
    for (const secret of [
      owner.serial,
      owner.serial.slice(-4),
      owner.email,
      'Nina',
      'Simone',
      'Studio',
      world.values.PLUGIN_KEY,
    ])
      expect(machine.clipboard).not.toContain(secret);
    await plugin.press('Back');
    expect([titleOf(plugin), messageOf(plugin)]).toEqual([`Activate ${world.product.name}`, '']);
    await plugin.press('Activate');
    await plugin.press('Details');
    machine.online = true;
    await plugin.press('Try again');
    expect([plugin.isUnlocked(), titleOf(plugin)]).toEqual([true, 'hidden']);
    callPanel(plugin, 'open');
    expect(bodyOf(plugin)).toBe(`Serial …${owner.serial.slice(-4)}`);
  });

  it('names the answer and its status, and knows a portal and an unknown plugin key', async () => {
    const refused = await open(world.machine('E2'));
    fill(refused, { Key: 'AAAA-BBBB-CCCC-DDDD', ...names, Email: address() });
    await refused.press('Activate');
    await refused.press('Details');
    expect(bodyOf(refused)).toMatch(/^This serial does not exist.*\n\n.*\nAnswer: HTTP 404, not_found\n/);
    const foreign = await open(world.machine('E3'), { values: { PLUGIN_KEY: 'tnr_plg_none' } });
    await foreign.press('Start trial');
    expect(messageOf(foreign)).toMatch(/does not know this plugin/);
    const portal = await open(world.machine('E4'));
    portal.engine.namespaces
      .get('Tonerow')
      ?.inlineFunctions.get('trialed')
      ?.call([int(200), '<html>']);
    expect(messageOf(portal)).toMatch(/but not the license server/);
  });

  it('pastes a serial, and the text of a license file', async () => {
    const machine = world.machine('E5');
    const plugin = await open(machine);
    await plugin.press('Paste');
    expect(messageOf(plugin)).toBe('There is no text to paste.');
    machine.clipboard = ' AAAA-BBBB \n';
    await plugin.press('Paste');
    expect([plugin.screen.textIn('TonerowKey'), messageOf(plugin)]).toEqual(['AAAA-BBBB', '']);
    await plugin.press('No internet here');
    await plugin.press('Paste license text');
    expect(messageOf(plugin)).toMatch(/^This is not a license file/);
    machine.isFull = true;
    plugin.chosen.push(machine.file('machine.json'));
    await plugin.press('Save machine file');
    expect(messageOf(plugin)).toBe('The file could not be saved there.');
  });

  it('shows what only the node knows: why nothing was stored, and that a session may be finished', async () => {
    const plugin = await open(world.machine('E6'));
    const node = constant(plugin, 'Tonerow', 'tonerowBridge').properties;
    const shown = (fields: Record<string, string | number>) => {
      for (const [name, value] of Object.entries(fields)) node.set(name, toScript(value));
      callPanel(plugin, 'refresh');
      return messageOf(plugin);
    };
    expect(shown({ finishing: 1 })).toBe('You can finish this session.');
    const trouble = { store_path: '/x', store_reason: 'EACCES', store_problem: 'reasonDenied' };
    expect(shown(trouble)).toMatch(/^Your license could not be stored in \/x: (?!EACCES)/);
    expect(shown({ store_problem: '' })).toMatch(/\/x: EACCES/);
    expect(shown({ store_problem: 'noPlace' })).toMatch(/^This account has no folder/);
    constant(plugin, 'Tonerow', 'tonerowLast').properties.set('notice', 'unreachable');
    expect(shown({ https: 0 })).toMatch(/^This build has no secure connections/);
  });
});

describe('the texts of the form for HISE', () => {
  const { texts } = hiseTexts();

  it.each([
    ['de-DE', 'OSX', 'aktivieren', 'Arial'],
    ['fr-CA', 'OSX', 'Activer', 'Arial'],
    ['es', 'WIN', 'Activar', 'Arial'],
    ['ja-JP', 'WIN', '有効にする', 'Yu Gothic UI'],
    ['ja', 'OSX', '有効にする', 'Hiragino Sans'],
    ['nl-NL', 'LINUX', 'Activate', 'Arial'],
    ['', 'LINUX', 'Activate', 'Arial'],
  ])('are those of the computer: %s', async (language, system, word, font) => {
    const machine = Object.assign(world.machine(randomUUID()), { language, system });
    const plugin = await open(machine);
    expect(titleOf(plugin)).toContain(word);
    expect(plugin.screen.components.get('TonerowBody')?.properties.get('fontName')).toBe(font);
  });

  it('are those of the language that the maker chose, and days are written as there', async () => {
    const plugin = await open(world.machine('T1'), { script: 'TonerowPanel.setLanguage("de");' });
    await showSeats(plugin, 1);
    expect(buttonsOf(plugin)[0]).toMatch(/8\. März 2026/);
  });

  const sizes: [number, number][] = [
    [320, 240],
    [320, 480],
    [480, 320],
    [600, 400],
    [1000, 700],
  ];
  it.each(sizes.flatMap(([width, height]) => Object.keys(texts).map((language) => [width, height, language] as const)))(
    'have their place on every screen at %d by %d: %s',
    async (width, height, language) => {
      const values = { ...world.values, PRODUCT_NAME: 'Glass Keys' };
      for (const publicKey of [undefined, world.publicKey]) {
        const script = `TonerowPanel.setLanguage("${language}"); TonerowPanel.setProductsPage("https://licenses.example.com/redeem");`;
        const plugin = new HisePlugin(world.machine(randomUUID()), values, { panel: true, publicKey, script });
        await plugin.startPanel(width, height);
        await showSeats(plugin, 6);
        const state = constant(plugin, 'Tonerow', 'tonerowState').properties;
        for (const [name, value] of Object.entries({
          update_version: '2.0.0',
          update_notes: 'Less noise.',
          update_link: 'https://licenses.example.com',
          update_from: '1.2.0',
        }))
          state.set(name, value);
        const screens = [...constant(plugin, 'TonerowPanel', 'tonerowPanelScreens').properties.keys()];
        expect(screens.length).toBeGreaterThan(15);
        for (const screen of screens)
          for (const notice of ['', 'unreachable']) {
            showScreen(plugin, screen, notice);
            const where = `${screen} ${notice}`;
            plugin.screen.drawn();
            expect(misplaced(plugin, width, height), where).toEqual([]);
            expect(tight(plugin), where).toEqual([]);
            expect(plugin.screen.drawn(), where).toEqual(buttonsOf(plugin));
            expect(plugin.screen.rectangles.length > 0, where).toBe(screen === 'browser');
          }
      }
    },
  );
});
