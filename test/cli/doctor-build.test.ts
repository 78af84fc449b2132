import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let about: object;

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token, { name: 'Prism Delay' });
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
  const key = (await terminal.tonerow('keys', 'create')).out.trim();
  await call(server, 'GET', '/api/license/v1/time', { token: key, headers: { 'x-tonerow-sign': '1' } });
  const { body: jwks } = await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`);
  about = {
    server: server.url,
    plugin_key: key,
    product_id: product.id,
    product_name: 'Prism Delay',
    developer_id: ada.id,
    developer: 'Row Audio',
    version: '1.0.0',
    keys: jwks.keys,
    namespace: 'row_audio_licensing',
    folder: terminal.home,
    folder_trouble: '',
    clock: Math.floor(Date.now() / 1000),
    machine_ids: 1,
    signatures: 1,
    network: 1,
  };
});
afterAll(() => terminal.close());

/** A build whose license-check is this script. */
async function buildOf(name: string, script: string): Promise<string> {
  await mkdir(terminal.file(name));
  const file = terminal.file(`${name}/license-check`);
  await writeFile(file, `#!${process.execPath}\n${script}`);
  await chmod(file, 0o755);
  return terminal.file(name);
}

const outcome = (unlocked: number, ms: number) =>
  JSON.stringify({
    license: {
      state: 'active',
      notice: 'none',
      status: '',
      message: '',
      unlocked,
      finishing: 0,
      days: 0,
      trouble: '',
      trouble_path: '',
    },
    at_once: unlocked,
    open_ms: ms,
    close_ms: ms,
  });

describe('license doctor --build', () => {
  it('finds every attack that unlocks a build', async () => {
    // a crack: it accepts everything, after two seconds
    const script = `console.log(process.argv[2] === 'about' ? ${JSON.stringify(JSON.stringify(about))} : ${JSON.stringify(outcome(1, 2000))})`;
    const place = await buildOf('cracked', script);
    const { code, out, err } = await terminal.tonerow(
      'license',
      'doctor',
      '--build',
      place,
      '--license',
      'ANY',
      '--json',
    );
    const bad = JSON.parse(out).filter(({ result }: { result: string }) => result === 'fail');
    expect([code, JSON.parse(err).code]).toEqual([3, 'partial']);
    expect(bad.map(({ what }: { what: string }) => what)).toEqual([
      'a start asks nobody, and is quick',
      'a false server unlocks nothing',
      'it closes within 200 ms while a server never answers',
      'a repeated answer is refused',
      'a copy on another computer is locked',
      'another product’s license unlocks nothing',
      'a clock that is ten years off wins nothing, and takes nothing away',
      'a torn license file is replaced by its backup',
      'only its owner can read the license file',
      'where nothing can be written, it says which path',
      'its seat is given back',
    ]);
  });

  it('leaves out what needs a license, a sign-in or a compiler, and names it', async () => {
    const script = `console.log(process.argv[2] === 'about' ? ${JSON.stringify(JSON.stringify(about))} : ${JSON.stringify(outcome(0, 1))})`;
    const place = await buildOf('locked', script);
    const { code, out, err } = await terminal.tonerow('license', 'doctor', '--build', place);
    expect([code, out]).toEqual([0, expect.stringContaining('--license SERIAL')]);
    expect(err).toMatch(/\d+ passed, 0 failed, \d+ not run\./);
  });

  it('explains a folder without a build, a program that is none of ours, and options that do not go together', async () => {
    await mkdir(terminal.file('empty'));
    const doctor = (...options: string[]) => terminal.tonerow('license', 'doctor', '--build', ...options);
    expect(await doctor(terminal.file('empty'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('Build it first'),
    });
    expect(await doctor(terminal.file('nowhere'))).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') });
    const other = await buildOf('other', 'console.log("hello")');
    expect(await doctor(other)).toMatchObject({ code: 1, err: expect.stringContaining('is not the license-check') });
    expect((await doctor(other, '--product', 'Prism Delay')).code).toBe(64);
  });
});
