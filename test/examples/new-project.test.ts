import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRun } from './cpp-support.ts';

/** The kind of project, and the folder in which `npm run test:plugin new` builds it. */
const KIND = process.env.TONEROW_NEW_KIND ?? '';
const FOLDER = process.env.TONEROW_NEW_FOLDER ?? '';
const OPTIONS = process.env.TONEROW_NEW_OPTIONS?.split(' ').filter(Boolean) ?? [];
const WHAT = 'a project of "tonerow plugin new"';
const LONG = 3_600_000;

interface Row {
  check: number | null;
  what: string;
  result: 'pass' | 'fail' | 'not_run';
  found: string;
}

describe.runIf(canRun(WHAT, KIND ? '' : 'run it by `npm run test:plugin new`'))(WHAT, () => {
  let server: SharedServer;
  let ada: Person;
  let product: { id: string };
  let terminal: Awaited<ReturnType<typeof openTerminal>>;
  const project = path.join(FOLDER, 'project');
  const build = path.join(FOLDER, 'build');

  beforeAll(async () => {
    server = await sharedServer();
    ada = await signUpVerified(server);
    product = await makeProduct(server, ada.token, { name: 'Prism Delay', offline_days: 30 });
    terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
    await mkdir(FOLDER, { recursive: true });
    for (const each of [project, build]) await rm(each, { recursive: true, force: true });
    const made = await terminal.tonerow('plugin', 'new', 'Prism Delay', `--${KIND}`, '--yes', '--dir', project);
    expect([made.code, made.err]).toEqual([0, expect.any(String)]);
    await execa('cmake', ['-S', project, '-B', build, ...OPTIONS]);
    await execa('cmake', ['--build', build]);
  }, LONG);
  afterAll(() => terminal.close());

  const serial = async () => {
    const [made] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, made?.code as string, 'nina@example.com', ada.id);
    return made as { id: string; code: string };
  };
  const doctor = async (...options: string[]) => {
    const { code, out, err } = await terminal.tonerow('license', 'doctor', '--build', build, '--json', ...options);
    return { code, err, rows: JSON.parse(out) as Row[] };
  };
  /** Rows that have neither passed nor been left out. */
  const failing = (rows: Row[]) => rows.filter(({ result }) => result === 'fail');

  it.runIf(KIND === 'cmake')(
    'is silent until a serial is activated, plays after a restart without a network, and ends with the session that it was revoked in',
    async () => {
      const env = { HOME: terminal.home, XDG_CONFIG_HOME: path.join(terminal.home, 'config') };
      const run = async (name: string, ...words: string[]) =>
        (await execa(path.join(build, name), words, { env, extendEnv: false })).stdout;
      const license = async (...words: string[]) => JSON.parse(await run('license-check', ...words));
      /** The loudest sample of a second. */
      const loudest = async () => {
        const file = terminal.file('sound.wav');
        await run('prism-delay-render', file);
        const wav = await readFile(file);
        expect(wav.length).toBe(44 + 2 * 48_000);
        return Math.max(...Array.from({ length: 48_000 }, (_, at) => Math.abs(wav.readInt16LE(44 + 2 * at))));
      };
      expect(await loudest()).toBe(0);
      const { id, code } = await serial();
      expect(await license('activate', code)).toMatchObject({ license: { state: 'active', unlocked: 1 } });
      // the renderer has no network at all
      expect(await loudest()).toBeGreaterThan(16_000);
      await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
      expect(await license('check')).toMatchObject({ license: { state: 'revoked', unlocked: 1, finishing: 1 } });
      expect(await loudest()).toBe(0);
    },
  );

  it(
    'passes the doctor: no lie, repeat, copy, clock or other product unlocks it',
    async () => {
      const { code, err, rows } = await doctor('--license', (await serial()).code);
      expect([failing(rows), code, err]).toEqual([[], 0, '']);
      const passed = new Set(rows.filter(({ result }) => result === 'pass').map(({ check }) => check));
      expect([...passed]).toEqual(expect.arrayContaining([1, 6, 9, 10, 11, 12, 13, 16, 17, 20, 21, 22, 28, 30]));
      if (KIND === 'juce') expect(rows.map(({ what }) => what)).toContain('Prism Delay.so: is hardened');
      // each of the 30 is in it, whether it could be run or not
      const numbers = [...new Set(rows.map(({ check }) => check))].filter((check) => check !== null);
      expect(numbers.sort((a, b) => a - b)).toEqual(expect.arrayContaining([2, 3, 5, 7, 8, 14, 15, 18, 26, 27, 29]));
    },
    LONG,
  );

  it.runIf(KIND === 'cmake')(
    'that carries wrong keys, another’s product and a key that was switched off fails, and is told why',
    async () => {
      const file = path.join(project, 'source/Settings.h');
      const settings = await readFile(file, 'utf8');
      const wrong = settings
        .replace(/", "[\w-]{43}" }/, `", "${'A'.repeat(43)}" }`)
        .replace(product.id, '01900000-0000-7000-8000-00000000dead');
      expect(wrong).not.toBe(settings);
      await writeFile(file, wrong);
      await execa('cmake', ['--build', build, '--target', 'license-check']);
      const keys = (await call(server, 'GET', '/api/developer/plugin-keys', { token: ada.token })).body.keys;
      for (const { id } of keys)
        await call(server, 'PATCH', `/api/developer/plugin-keys/${id}`, {
          token: ada.token,
          body: { is_active: false },
        });
      const { code, rows, err } = await doctor();
      expect([code, JSON.parse(err).code]).toEqual([3, 'partial']);
      expect(failing(rows).map(({ what }) => what)).toEqual([
        'the plugin key is known and active',
        'the product is yours',
        'it carries all your public keys',
        'a signed answer is verified by the keys that it carries',
      ]);
    },
    LONG,
  );
});
