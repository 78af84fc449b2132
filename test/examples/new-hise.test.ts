import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { execa } from 'execa';
import type { Email } from 'postal-mime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canRun } from './cpp-support.ts';
import { bodyOf, callPanel, codeOn, messageOf } from './hise/form.ts';
import { type HiseNode, HisePlugin } from './hise/host.ts';
import { HiseMachine } from './hise/machine.ts';

/** The folder in which `npm run test:plugin new-hise` builds it. */
const FOLDER = process.env.TONEROW_HISE_FOLDER ?? '';
const OPTIONS = process.env.TONEROW_HISE_OPTIONS?.split(' ').filter(Boolean) ?? [];
const WHAT = 'a HISE project with its license in C++';
const LONG = 3_600_000;

const start = (home: string) =>
  execa(path.join(FOLDER, 'build/hise-driver'), {
    env: { HOME: home, XDG_DATA_HOME: path.join(home, 'data'), LANG: 'C.UTF-8' },
    extendEnv: false,
    buffer: { stdout: false },
  });

/** The project's node, compiled, in a program of its own. */
class Driver implements HiseNode {
  readonly #child: ReturnType<typeof start>;
  readonly #lines: AsyncIterator<string>;

  constructor(home: string) {
    this.#child = start(home);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async say(line: string): Promise<string[]> {
    return (await this.#ask(line)).told;
  }

  /** The first sample of a second, and the loudest. */
  async play(): Promise<[number, number]> {
    const { first, loudest } = await this.#ask('play 1');
    return [first, loudest];
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    const { exitCode, stderr } = await this.#child;
    expect([exitCode, stderr.replace(/^JUCE v[\d.]+\n?/, '')]).toEqual([0, '']);
  }

  async #ask(line: string): Promise<{ told: string[]; first: number; loudest: number }> {
    this.#child.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the node ended at: ${line}\n${(await this.#child).stderr}`);
    return JSON.parse(value as string);
  }
}

describe.runIf(canRun(WHAT, FOLDER ? '' : 'run it by `npm run test:plugin new-hise`'))(WHAT, () => {
  let server: SharedServer;
  let ada: Person;
  let product: { id: string; name: string };
  let terminal: Awaited<ReturnType<typeof openTerminal>>;
  let scripts: Record<string, string>;
  const project = path.join(FOLDER, 'project');
  const running: Driver[] = [];
  let computers = 0;

  beforeAll(async () => {
    server = await sharedServer();
    ada = await signUpVerified(server);
    product = await makeProduct(server, ada.token, {
      name: 'Glass Keys',
      offline_days: 30,
      trial_days: 14,
      max_activations: 1,
      lease_days: 60,
    });
    terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
    await mkdir(FOLDER, { recursive: true });
    for (const each of ['project', 'homes']) await rm(path.join(FOLDER, each), { recursive: true, force: true });
    const made = await terminal.tonerow('plugin', 'new', 'Glass Keys', '--hise', '--bridge', '--yes', '--dir', project);
    expect([made.code, made.err]).toEqual([0, expect.any(String)]);
    const build = path.join(FOLDER, 'build');
    const source = path.resolve('packages/plugin/tests/hise');
    await execa('cmake', ['-S', source, '-B', build, `-DTONEROW_HISE_PROJECT=${project}`, ...OPTIONS]);
    await execa('cmake', ['--build', build]);
    const names = ['Licensing.js', 'Tonerow.js', 'TonerowTexts.js', 'TonerowPanel.js'];
    scripts = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(path.join(project, 'Scripts', name), 'utf8')])),
    );
  }, LONG);
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });
  afterAll(() => terminal.close());

  const computer = () => {
    computers += 1;
    return { machine: new HiseMachine(`L${computers}`), home: path.join(FOLDER, 'homes', `${computers}`) };
  };
  const open = async ({ machine, home }: ReturnType<typeof computer>) => {
    const node = new Driver(home);
    running.push(node);
    // the node plays before any script was compiled
    const first = await node.play();
    const onInit = 'include("Licensing.js"); Tonerow.setExpansionHandler(Engine.createExpansionHandler());';
    const plugin = new HisePlugin(machine, {}, { name: 'Glass Keys', node, project: { scripts, onInit } });
    await plugin.settled();
    const title = () => (plugin.screen.shown().length > 0 ? plugin.screen.textIn('TonerowTitle') : 'hidden');
    /** Goes on until the form is done with what it was asked. */
    const done = async () => {
      await until(plugin, () => title() !== 'One moment…');
      return title();
    };
    const type = (fields: Record<string, string>) => {
      for (const [name, text] of Object.entries(fields))
        plugin.screen.components.get(`Tonerow${name}`)?.properties.set('text', text);
    };
    const press = async (text: string) => {
      await plugin.press(text);
      return done();
    };
    return { plugin, node, first, title, type, press };
  };
  /** Lets the node answer until something is so. */
  const until = async (plugin: HisePlugin, isSo: () => boolean) => {
    for (let left = 30; !isSo(); left -= 1) {
      if (left === 0) throw new Error('it never was');
      plugin.hear('wait');
      await plugin.settled();
    }
  };
  const closed = async () => {
    for (const each of running.splice(0)) await each.stop();
  };
  const activated = async (on: ReturnType<typeof computer>) => {
    const [made] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const { id, code } = made as { id: string; code: string };
    await redeem(server, code, 'nina@example.com', ada.id);
    const opened = await open(on);
    opened.type({ Key: code, Email: 'nina@example.com' });
    expect(await opened.press('Activate')).toBe('hidden');
    return { ...opened, id, code };
  };

  it('is mute until its form activates it, plays from its first block after a restart, and gives its seat back', async () => {
    const here = computer();
    const locked = await open(here);
    expect([locked.first, locked.title()]).toEqual([[0, 0], 'Activate Glass Keys']);
    locked.type({ Key: 'AAAA-AAAA-AAAA-AAAA', Email: '' });
    await locked.press('Activate');
    expect(messageOf(locked.plugin)).toBe('Please enter the email address of your purchase.');
    locked.type({ Email: 'nina@example.com' });
    await locked.press('Activate');
    expect(messageOf(locked.plugin)).toMatch(/^This serial does not exist/);
    await locked.press('Details');
    expect(bodyOf(locked.plugin)).toMatch(/Answer: HTTP 404, not_found\nTime: .*\nRequest: \S+$/);
    await locked.press('Copy diagnostics');
    expect(JSON.parse(here.machine.clipboard)).toMatchObject({ status: 'not_found', http_status: 404 });
    await locked.press('Back');
    await closed();
    const { node, plugin, id } = await activated(here);
    expect(await node.play()).toEqual([1, 1]);
    expect(plugin.credentials.at(-1)).toEqual({ serial: id, key: expect.any(String) });
    await closed();
    const again = await open(here);
    expect([again.first, again.title()]).toEqual([[1, 1], 'hidden']);
    callPanel(again.plugin, 'open');
    await again.press('Release this computer');
    expect(await again.press('Release this computer')).toBe('Activate Glass Keys');
    expect((await again.node.play())[1]).toBe(0);
  });

  it('finishes the session in which it is revoked, and is mute in the next', async () => {
    const here = computer();
    const { id, plugin, node } = await activated(here);
    await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
    await plugin.after('validate');
    const kind = plugin.engine.namespaces.get('Tonerow')?.inlineFunctions.get('getKind');
    await until(plugin, () => kind?.call([]) === 'revoked');
    expect(await node.play()).toEqual([1, 1]);
    await closed();
    const next = await open(here);
    expect([next.first, next.title()]).toEqual([[0, 0], 'This license was revoked']);
  });

  it('starts a trial', async () => {
    const { press, plugin, node } = await open(computer());
    await press('Start trial');
    expect([plugin.isUnlocked(), await node.play()]).toEqual([true, [1, 1]]);
  });

  it('is confirmed in a browser, and releases another computer with a code from the owner’s email', async () => {
    const email = `nina-${randomUUID()}@example.com`;
    const [made] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const serial = made?.code as string;
    const token = (await redeem(server, serial, email, ada.id)).body.download_token;
    const first = await open(computer());
    await first.press('Use a browser');
    await until(first.plugin, () => first.title() === 'Confirm in your browser');
    const user_code = codeOn(first.plugin);
    const body = { dev: ada.id, user_code, token, serial };
    expect((await call(server, 'POST', '/api/redeem/device/confirm', { body })).status).toBe(200);
    await until(first.plugin, () => first.title() === 'hidden');
    expect([first.plugin.isUnlocked(), await first.node.play()]).toEqual([true, [1, 1]]);

    const second = await open(computer());
    await first.plugin.after('deactivate');
    await until(first.plugin, () => !first.plugin.isUnlocked());
    const elsewhere = { license_key: serial, machine_id: randomUUID(), label: 'Old laptop', product_id: product.id };
    const [key = ''] = /tnr_plg_[\w-]+/.exec(scripts['Tonerow.js'] as string) ?? [];
    expect((await call(server, 'POST', '/api/license/v1/activate', { token: key, body: elsewhere })).status).toBe(200);
    second.type({ Key: serial, Email: email });
    expect(await second.press('Activate')).toBe('All computers are in use');
    expect(await second.press('Release another computer')).toBe('Enter the code');
    const sent = await server.email(
      (each: Email) => each.to?.[0]?.address === email && /Code/.test(each.subject ?? ''),
    );
    second.type({ Code: /\b[B-Z]{4}-[B-Z]{4}\b/.exec(sent.text ?? '')?.[0] as string });
    expect(await second.press('Show computers')).toBe('Which computer?');
    await second.press(second.plugin.screen.textIn('TonerowButton1'));
    expect(await second.press('Release it')).toBe('hidden');
    expect([second.plugin.isUnlocked(), await second.node.play()]).toEqual([true, [1, 1]]);
  });

  it('takes a license file that was made from its machine file, and an unlock for good of its product alone', async () => {
    const offline = computer();
    const { press, plugin } = await open(offline);
    await press('No internet here');
    plugin.chosen.push(offline.machine.file('machine.json'));
    await press('Save machine file');
    const [made] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const [key = ''] = /tnr_plg_[\w-]+/.exec(scripts['Tonerow.js'] as string) ?? [];
    const body = {
      license_key: made?.code,
      machine_file: offline.machine.files.get('machine.json'),
      email: 'nina@example.com',
    };
    const file = await call(server, 'POST', '/api/license/v1/offline', { token: key, body });
    expect(file.status).toBe(200);
    offline.machine.files.set('license.txt', file.text);
    plugin.chosen.push(offline.machine.file('license.txt'));
    await press('Load license file');
    expect(plugin.isUnlocked()).toBe(true);

    await closed();

    // given up with a proof, which frees the seat, and the same file is not taken again
    const later = await open(offline);
    expect([later.first, later.title()]).toEqual([[1, 1], 'hidden']);
    callPanel(later.plugin, 'open');
    await later.press('Release this computer');
    expect(bodyOf(later.plugin)).toContain('this license file is never taken again');
    expect(await later.press('Release this computer')).toBe('This computer was released');
    expect(later.plugin.isUnlocked()).toBe(false);
    later.plugin.chosen.push(offline.machine.file('release.txt'));
    await later.press('Save release file');
    const proof = { release: offline.machine.files.get('release.txt') };
    const released = await call(server, 'POST', '/api/license/v1/offline/release', { token: key, body: proof });
    expect(released.body).toEqual({ ok: true, status: 'deactivated' });
    await later.press('Copy release text');
    expect(offline.machine.clipboard).toBe(proof.release);
    expect(await later.press('Back')).toBe('Activate Glass Keys');
    await closed();

    // the file of it was lost, and the license file is dropped again
    const last = await open(offline);
    await last.press('No internet here');
    last.plugin.chosen.push(offline.machine.file('again.txt'));
    await last.press('Save release file');
    expect(offline.machine.files.get('again.txt')).toBe(proof.release);
    last.plugin.chosen.push(offline.machine.file('license.txt'));
    await last.press('Load license file');
    expect([last.plugin.isUnlocked(), messageOf(last.plugin)]).toEqual([
      false,
      'This license file was released, or is for another machine file. Save a new machine file, and get a new one for it.',
    ]);
    await closed();

    const unlockOf = async ({ id, name }: { id: string; name: string }) => {
      const { token } = ada;
      await call(server, 'POST', `/api/products/${id}/unlock`, { token, body: { product_name: name } });
      return (await call(server, 'POST', `/api/products/${id}/unlock/download`, { token })).text;
    };
    const other = await makeProduct(server, ada.token, { name: 'Other' });
    const abandoned = computer();
    const { machine } = abandoned;
    machine.files.set('other.json', await unlockOf(other));
    machine.files.set('unlock.json', await unlockOf(product));
    const ended = await open(abandoned);
    await ended.press('No internet here');
    ended.plugin.chosen.push(machine.file('other.json'));
    await ended.press('Load license file');
    expect([ended.plugin.isUnlocked(), messageOf(ended.plugin)]).toEqual([
      false,
      'This is not a license file for Glass Keys on this computer.',
    ]);
    ended.plugin.chosen.push(machine.file('unlock.json'));
    await ended.press('Load license file');
    expect(ended.plugin.isUnlocked()).toBe(true);
    await closed();
    expect((await open(abandoned)).first).toEqual([1, 1]);
  });
});
