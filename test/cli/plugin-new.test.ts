import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
let product: { id: string; name: string };
let token: string;

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  token = ada.token;
  product = await makeProduct(server, ada.token, { name: 'Prism Delay' });
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: token }));
});
afterAll(() => terminal.close());

const plugin = (name: string, ...options: string[]) => terminal.tonerow('plugin', 'new', name, ...options);
const filesIn = async (folder: string) =>
  (await readdir(terminal.file(folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(terminal.file(folder), path.join(entry.parentPath, entry.name)));
const contents = async (folder: string) =>
  Object.fromEntries(
    await Promise.all(
      (await filesIn(folder)).map(async (file) => [file, await readFile(terminal.file(`${folder}/${file}`), 'utf8')]),
    ),
  ) as Record<string, string>;
const keyLabels = async (): Promise<string[]> =>
  (await call(server, 'GET', '/api/developer/plugin-keys', { token: ada.token })).body.keys.map(
    (key: { label: string }) => key.label,
  );

/** As the dashboard shows it under Branding; it has to name the developer. */
const redemptionPage = async (): Promise<string> => {
  const { redeem_url } = (await call(server, 'GET', '/api/developer/branding/private', { token: ada.token })).body;
  expect(new URL(redeem_url).searchParams.get('dev')).toBe(ada.id);
  return redeem_url;
};

describe('plugin new', () => {
  it.each([
    ['juce', ['source/Editor.cpp', 'tonerow/tonerow_juce/tonerow_juce.h']],
    ['cmake', ['source/Main.cpp', 'tonerow/c/tonerow.h']],
  ])('--%s writes a whole project with the values that it needs, and no placeholder', async (kind, some) => {
    const { code, err } = await plugin('Prism Delay', `--${kind}`, '--yes', '--dir', terminal.file(kind));
    expect([code, err]).toEqual([0, expect.stringContaining('license doctor --build')]);
    const files = await contents(kind);
    const expected = [
      'CMakeLists.txt',
      'README.md',
      '.gitignore',
      'tonerow/CMakeLists.txt',
      'tonerow/LICENSE',
      ...some,
    ];
    expect(Object.keys(files)).toEqual(expect.arrayContaining([...expected, 'license-check/Main.cpp']));
    const own = Object.entries(files).filter(([file]) => !file.startsWith('tonerow/'));
    expect(own.filter(([, text]) => text.includes('{{')).map(([file]) => file)).toEqual([]);
    const settings = files['source/Settings.h'] as string;
    const { body: jwks } = await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`);
    expect(jwks.keys.length).toBeGreaterThan(0);
    for (const { kid, x } of jwks.keys) expect(settings).toContain(`{ "${kid}", "${x}" }`);
    const [key = ''] = /tnr_plg_[\w-]+/.exec(settings) ?? [];
    const time = await call(server, 'GET', '/api/license/v1/time', { token: key });
    expect(time.status).toBe(200);
    for (const value of [server.url, product.id, 'Prism Delay', ada.id]) expect(settings).toContain(`"${value}"`);
    expect(settings).toContain(`redemptionPage = "${await redemptionPage()}"`);
    // somebody who has the folder has the plugin key, and nothing else of the account
    const all = Object.values(files).join('\n');
    for (const secret of [ada.token, ada.email, 'tnr_pat_']) expect(all).not.toContain(secret);
  });

  it('--hise writes the scripts with their settings and the product’s RSA key', async () => {
    const out = terminal.file('hise');
    const json = await terminal.json('plugin', 'new', 'Prism Delay', '--hise', '--yes', '--dir', out);
    const files = await contents('hise');
    expect(Object.keys(files).sort()).toEqual(json.files);
    expect(json).toMatchObject({ folder: out, kind: 'hise', product_id: product.id, url: server.url });
    const rsa = (await terminal.tonerow('products', 'rsa', 'Prism Delay')).out.trim();
    expect(files['Scripts/Tonerow.js']).toContain(`rsaPublicKey: '${rsa}'`);
    expect(files['RSA.xml']).toContain('<KeyPair');
    expect(files['Scripts/Licensing.js']).toContain(`setProductsPage('${await redemptionPage()}')`);
    expect(Object.values(files).join('\n')).not.toContain('{{');
  });

  it('--hise --bridge writes a node with the core where HISE looks for it, and no key file’s key', async () => {
    await terminal.json(
      'plugin',
      'new',
      'Prism Delay',
      '--hise',
      '--bridge',
      '--yes',
      '--dir',
      terminal.file('bridge'),
    );
    const files = await contents('bridge');
    const nodes = 'DspNetworks/ThirdParty';
    // every header in there is a node of its name
    const beside = Object.keys(files).filter((file) => path.dirname(file) === nodes && file.endsWith('.h'));
    expect(beside).toEqual([`${nodes}/tonerow_gate.h`]);
    const own = Object.entries(files).filter(([file]) => !file.startsWith(`${nodes}/src/tonerow/`));
    expect(own.filter(([, text]) => text.includes('{{')).map(([file]) => file)).toEqual([]);
    // whatever a file includes by its path is there
    for (const [file, text] of Object.entries(files).filter(([name]) => name.startsWith(nodes)))
      for (const [, included = ''] of text.matchAll(/^\s*#include "([^"]+)"/gm))
        if (!included.includes('monocypher'))
          expect(files, `${file} includes ${included}`).toHaveProperty([path.join(path.dirname(file), included)]);
    expect(files[`${nodes}/src/Settings.h`]).toContain(`productId = "${product.id}"`);
    expect(files[`${nodes}/src/Settings.h`]).toContain(`redemptionPage = "${await redemptionPage()}"`);
    expect(files['Scripts/Licensing.js']).toContain('Tonerow.setBridge');
    expect(files['Scripts/Licensing.js']).toContain(`setProductsPage('${await redemptionPage()}')`);
    expect(files).not.toHaveProperty(['RSA.xml']);
    expect((await plugin('Prism Delay', '--juce', '--bridge', '--yes')).code).toBe(64);
  });

  it('writes over no folder, and makes no key for one', async () => {
    await mkdir(terminal.file('taken'));
    const labels = await keyLabels();
    const { code, err } = await plugin('Prism Delay', '--cmake', '--yes', '--dir', terminal.file('taken'));
    expect([code, err]).toEqual([1, expect.stringContaining('Choose another folder with --dir.')]);
    expect(await readdir(terminal.file('taken'))).toEqual([]);
    expect(await keyLabels()).toEqual(labels);
  });

  it('leaves nothing where it cannot write', async () => {
    const labels = await keyLabels();
    const { code, err } = await plugin('Prism Delay', '--cmake', '--yes', '--dir', terminal.file('none/here'));
    expect([code, err]).toEqual([1, expect.stringContaining('there is no such folder')]);
    expect((await readdir(terminal.home)).filter((name) => name.includes('.part') || name === 'none')).toEqual([]);
    expect(await keyLabels()).toEqual(labels);
  });

  it('keeps names of any characters inside their strings', async () => {
    const name = 'Röhre "2" \\ */ ; $(touch x)';
    await makeProduct(server, ada.token, { name });
    for (const kind of ['cmake', 'hise'])
      expect((await plugin(name, `--${kind}`, '--yes', '--dir', terminal.file(`odd-${kind}`))).code).toBe(0);
    const cmake = await contents('odd-cmake');
    expect(cmake['source/Settings.h']).toContain('productName = "Röhre \\"2\\" \\\\ */ ; $(touch x)"');
    expect(cmake['CMakeLists.txt']).toContain('project (Rohre2TouchX ');
    const script = (await contents('odd-hise'))['Scripts/Tonerow.js'] as string;
    expect(() => new Function(script.slice(0, script.indexOf('namespace')))).not.toThrow();
  });

  it('ships a key that exists, by its name or as a file, and never what is no plugin key of this account', async () => {
    const key = (await terminal.tonerow('keys', 'create', 'Shipped')).out.trim();
    await writeFile(terminal.file('key'), key);
    await writeFile(terminal.file('token'), ada.token);
    const other = await signUp(server);
    const theirs = await call(server, 'POST', '/api/developer/plugin-keys', { token: other.token, body: {} });
    await writeFile(terminal.file('theirs'), theirs.body.plaintext);
    const from = (...options: string[]) => plugin('Prism Delay', '--cmake', ...options);
    expect((await from('--key', 'Shipped', '--dir', terminal.file('by-name'))).code).toBe(0);
    expect((await from('--key-file', terminal.file('key'), '--dir', terminal.file('by-file'))).code).toBe(0);
    for (const folder of ['by-name', 'by-file'])
      expect((await contents(folder))['source/Settings.h']).toContain(`pluginKey = "${key}"`);
    const dir = ['--dir', terminal.file('no-key')];
    expect(await from('--key-file', terminal.file('token'), ...dir)).toMatchObject({ code: 64 });
    expect(await from('--key-file', terminal.file('theirs'), ...dir)).toMatchObject({ code: 1 });
    expect((await from(...dir)).err).toContain('pass --key KEY, or --yes for a new one');
    await expect(readdir(terminal.file('no-key'))).rejects.toThrow('ENOENT');
  });

  it('wants one kind, a product and a developer', async () => {
    expect((await plugin('Prism Delay', '--yes')).code).toBe(64);
    expect((await plugin('Prism Delay', '--juce', '--hise', '--yes')).code).toBe(64);
    expect((await plugin('Prism Delay', '--cmake', '--instrument', '--yes')).code).toBe(64);
    const nameless = await plugin('Nothing of Ours', '--cmake', '--yes', '--dir', terminal.file('nameless'));
    expect([nameless.code, nameless.err]).toEqual([64, expect.stringContaining('--product')]);
    token = (await signUp(server, 'reseller')).token;
    const reseller = await plugin('Prism Delay', '--cmake', '--yes', '--dir', terminal.file('reseller'));
    token = ada.token;
    expect([reseller.code, reseller.err]).toEqual([64, expect.stringContaining('reseller')]);
  });
});
