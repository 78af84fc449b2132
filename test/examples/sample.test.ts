import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  verifyEmail,
} from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canRun } from './cpp-support.ts';

/** The sample's driver, which `npm run test:plugin sample` builds. */
const program = process.env.TONEROW_SAMPLE ?? '';
const WHAT = 'the sample instrument against a server';

interface State {
  screen: string;
  state: string;
  notice: string;
  status: string;
  unlocked: number;
  finishing: number;
  days: number;
  loudest: number;
  page: string;
  code: string;
  opened: string;
  text: string;
}

type Serial = { id: string; code: string };

const start = (environment: Record<string, string>) =>
  execa('xvfb-run', ['-a', program], {
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...environment },
    extendEnv: false,
    reject: false,
    buffer: { stdout: false },
  });

/** A running sample on this computer, with a home of its own. */
class Sample {
  readonly #child: ReturnType<typeof start>;
  readonly #lines: AsyncIterator<string>;

  constructor(environment: Record<string, string>) {
    this.#child = start(environment);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async say(line: string): Promise<State> {
    this.#child.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the sample ended at: ${line}\n${(await this.#child).stderr}`);
    const space = (value as string).indexOf(' ');
    const state: State = JSON.parse((value as string).slice(space + 1));
    if ((value as string).slice(0, space) !== 'done') throw new Error(`${line}: ${JSON.stringify(state)}`);
    return state;
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    const { exitCode, stderr } = await this.#child;
    // a debug build names its JUCE
    expect([exitCode, stderr.replace(/^JUCE v[\d.]+\n?/, '')]).toEqual([0, '']);
  }
}

describe.runIf(canRun(WHAT, program ? '' : 'run it by `npm run test:plugin sample`'))(WHAT, () => {
  let server: SharedServer;
  let ada: Person;
  let product: { id: string; name: string };
  let key: string;
  let publicKey: { kid: string; x: string };
  let folder: string;
  const running: Sample[] = [];
  let homes = 0;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonerow-sample-'));
    server = await sharedServer();
    ada = await signUp(server);
    await verifyEmail(server, ada);
    const { token } = ada;
    product = await makeProduct(server, token, { lease_days: 60, trial_days: 14 });
    key = (await call(server, 'POST', '/api/developer/plugin-keys', { token, body: {} })).body.plaintext;
    // the developer's first key is made for the first answer that is signed
    await call(server, 'GET', '/api/license/v1/time', { token: key, headers: { 'x-tonerow-sign': '1' } });
    publicKey = (await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`)).body.keys[0];
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const serial = async (): Promise<Serial> =>
    (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as Serial;
  const licensing = (route: string, body: object) =>
    call(server, 'POST', `/api/license/v1/${route}`, { token: key, body });
  const newHome = () => {
    homes += 1;
    return path.join(folder, `home-${homes}`);
  };
  const open = async (home: string, url = server.url) => {
    const sample = new Sample({
      HOME: home,
      XDG_DATA_HOME: path.join(home, 'data'),
      TONEROW_URL: url,
      PLUGIN_KEY: key,
      PRODUCT_ID: product.id,
      PRODUCT_NAME: product.name,
      DEVELOPER_ID: ada.id,
      KEY_ID: publicKey.kid,
      KEY_X: publicKey.x,
    });
    running.push(sample);
    if (process.env.TONEROW_PICTURES) await sample.say(`pictures ${process.env.TONEROW_PICTURES}`);
    return sample;
  };
  const closed = async (sample: Sample) => {
    running.splice(running.indexOf(sample), 1);
    await sample.stop();
  };

  it('is mute until a serial is entered, and after a restart without network it plays from its first sample on', async () => {
    const home = newHome();
    const { code } = await serial();
    const first = await open(home);
    expect((await first.say('play 1')).loudest).toBe(0);
    await first.say(`type Serial=${code}`);
    await first.say('type Email address=nina@example.com');
    await first.say('press Activate');
    expect(await first.say('screen success')).toMatchObject({ unlocked: 1, state: 'active' });
    await first.say('press Continue');
    await first.say('screen details');
    await closed(first);
    const next = await open(home, 'http://127.0.0.1:9');
    expect(await next.say('play 1')).toMatchObject({ unlocked: 1, loudest: 500 });
  });

  it('that is revoked finishes its session, and is mute at the next start', async () => {
    const home = newHome();
    const { id, code } = await serial();
    const first = await open(home);
    await first.say(`type Serial=${code}`);
    await first.say('type Email address=nina@example.com');
    await first.say('press Activate');
    await first.say('screen success');
    await first.say('press Continue');
    await closed(first);
    await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
    const session = await open(home);
    expect(await session.say('check')).toMatchObject({ state: 'revoked', finishing: 1, unlocked: 1 });
    expect((await session.say('play 1')).loudest).toBe(500);
    await closed(session);
    const next = await open(home);
    expect(await next.say('play 1')).toMatchObject({ state: 'revoked', unlocked: 0, loudest: 0 });
  });

  it('starts a trial and counts its days', async () => {
    const sample = await open(newHome());
    await sample.say('press Start trial');
    expect(await sample.say('screen success')).toMatchObject({ unlocked: 1 });
    await sample.say('press Continue');
    expect(await sample.say('screen trial')).toMatchObject({ days: 14, state: 'trial' });
  });

  it('takes a license file that was made from its machine file, and gives it up with a proof that frees its seat', async () => {
    const home = newHome();
    const sample = await open(home);
    const { code } = await serial();
    await sample.say('press No internet here');
    const { text: machine_file } = await sample.say('machine');
    const made = await licensing('offline', { license_key: code, machine_file, email: 'nina@example.com' });
    expect(made.status).toBe(200);
    const file = path.join(folder, 'license.txt');
    await writeFile(file, made.text);
    await sample.say(`drop ${file}`);
    expect(await sample.say('screen success')).toMatchObject({ unlocked: 1, state: 'leased' });
    await closed(sample);

    const later = await open(home, 'http://127.0.0.1:9');
    expect(await later.say('play 1')).toMatchObject({ unlocked: 1, loudest: 500, screen: 'details' });
    await later.say('press Release this computer');
    await later.say('screen confirm_release');
    await later.say('press Release this computer');
    expect(await later.say('screen released')).toMatchObject({ unlocked: 0 });
    await later.say('press Copy release text');
    const { text: release } = await later.say('clipboard');
    expect((await licensing('offline/release', { release })).body).toEqual({ ok: true, status: 'deactivated' });
    await later.say('press Back');
    await closed(later);

    const last = await open(home);
    await last.say('press No internet here');
    await last.say(`drop ${file}`);
    expect(await last.say('play 1')).toMatchObject({ unlocked: 0, loudest: 0 });
  });

  it('shows a page and a code that its owner confirms in the browser', async () => {
    const { code } = await serial();
    const { body } = await redeem(server, code, 'browser-sample@example.com', ada.id);
    const sample = await open(newHome());
    await sample.say('press Use a browser');
    const shown = await sample.say('screen browser');
    expect(shown.page).toContain(shown.code);
    expect((await sample.say('press Open page')).opened).toBe(shown.page);
    const approved = await call(server, 'POST', '/api/redeem/device/confirm', {
      body: { dev: ada.id, user_code: shown.code, token: body.download_token, serial: code },
    });
    expect(approved.status).toBe(200);
    expect(await sample.say('screen success')).toMatchObject({ unlocked: 1, state: 'active' });
  });

  it('releases another computer with the emailed code when all seats are taken, without being left', async () => {
    const email = 'seats-sample@example.com';
    const { code } = await serial();
    for (const machine_id of ['one', 'two'])
      await licensing('activate', { license_key: code, machine_id, product_id: product.id, email });
    const other = { license_key: code, machine_id: 'attic', product_id: product.id, label: 'Attic', email };
    expect((await licensing('activate', other)).body.ok).toBe(true);
    const sample = await open(newHome());
    await sample.say(`type Serial=${code}`);
    await sample.say('press Activate');
    await sample.say('screen seats_full');
    await sample.say('press Release another computer');
    await sample.say('screen seats_code');
    const message = await server.email(
      // others have a serial in them, which can look like a code
      (each) => each.to?.[0]?.address === email && /Code/.test(each.subject ?? ''),
    );
    const [typed = ''] = /\b[B-Z]{4}-[B-Z]{4}\b/.exec(message.text ?? '') ?? [];
    await sample.say(`type Code=${typed}`);
    await sample.say('press Show computers');
    await sample.say('screen seats');
    const today = new Date().toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' });
    await sample.say(`press Attic, ${today}`);
    await sample.say('screen confirm_seat');
    await sample.say('press Release it');
    expect(await sample.say('screen success')).toMatchObject({ unlocked: 1 });
    const validated = await licensing('validate', { license_key: code, machine_id: 'attic', product_id: product.id });
    expect(validated.body.status).toBe('not_activated');
  });
});
