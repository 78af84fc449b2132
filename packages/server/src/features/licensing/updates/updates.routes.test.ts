import { createPublicKey, hash, verify } from 'node:crypto';
import { call, makeProduct, signUp } from '@tonerow/test-support/http.ts';
import { type LicenseScene, licenseScene, refusal } from '@tonerow/test-support/license-calls.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MINUTE, TestClock } from '#platform/clock.ts';

let server: TestServer;
let scene: LicenseScene;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  scene = await licenseScene({ server, clock });
});
afterAll(() => server.stop());

const own = (method: string, path: string, body?: object) =>
  call(server, method, path, { token: scene.ada.token, ...(body ? { body } : {}) });
const ask = (query: Record<string, string>, headers: Record<string, string> = {}, token = scene.key) =>
  call(server, 'GET', `/api/license/v1/updates?${new URLSearchParams(query)}`, { token, headers });
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

async function upload(name: string, content = name) {
  const { id, url } = (await own('POST', '/api/files', { name, size: content.length })).body;
  const sent = await fetch(`${server.url}/api/files/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${scene.ada.token}`,
      'content-type': 'application/octet-stream',
      'upload-offset': '0',
    },
    body: content,
  });
  expect(sent.status).toBe(200);
  await vi.waitFor(async () => expect((await own('GET', `/api/files/${id}`)).body.sha256).not.toBeNull(), 20_000);
  return url as string;
}

/** Gives a product these files as a version. */
async function release(id: string, version: string, notes: string, files: [label: string, url: string][]) {
  const file_urls = files.map(([name, url]) => ({ name, url }));
  expect((await own('PUT', `/api/products/${id}`, { file_urls })).status).toBe(200);
  expect((await own('POST', `/api/products/${id}/file-versions`, { name: version, notes })).status).toBe(201);
  clock.advance(MINUTE);
}

it('a plugin learns of a newer version, with the signed hash of the file for its computer', async () => {
  const product = await makeProduct(server, scene.ada.token, { name: 'Röhre' });
  const about = { product_id: product.id, version: '1.0', os: 'Mac OSX 14.4', arch: 'arm64' };
  const nothing = { ok: true, up_to_date: true };
  expect((await ask(about)).body).toEqual(nothing);
  const elsewhere = 'https://cdn.example.com/roehre.deb';
  const [mac, windows] = [await upload('roehre.pkg'), await upload('roehre-x64.exe', 'for windows')];
  await release(product.id, '1.1', 'Less noise.', [
    ['macOS', mac],
    ['Windows', windows],
    ['Linux', elsewhere],
  ]);
  const { status, body, headers } = await ask(about);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('private, max-age=300');
  const { file, ...rest } = body;
  expect(rest).toEqual({ ok: true, up_to_date: false, version: '1.1', notes: 'Less noise.', link: expect.any(String) });
  // the page where it is redeemed: never the file itself
  expect(rest.link).toMatch(new RegExp(`^${server.url}/redeem`));
  const sha256 = hash('sha256', 'roehre.pkg', 'hex');
  expect(file).toEqual({ name: 'roehre.pkg', size: 10, sha256, signature: expect.any(String) });
  const [head, claims, signature] = file.signature.split('.');
  expect(decode(head)).toMatchObject({ alg: 'EdDSA', typ: 'tonerow-update+jwt' });
  expect(decode(claims)).toEqual({
    iss: server.url,
    aud: product.id,
    iat: clock.now().getTime() / 1000,
    ver: '1.1',
    file: 'roehre.pkg',
    size: 10,
    sha256,
  });
  const { keys } = (await call(server, 'GET', `/api/license/v1/jwks?dev=${scene.ada.id}`)).body;
  const jwk = keys.find((each: { kid: string }) => each.kid === decode(head).kid);
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  expect(verify(null, Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);

  expect((await ask({ ...about, os: 'Windows 11', arch: 'x86_64' })).body.file.name).toBe('roehre-x64.exe');
  // another processor, kept elsewhere, a system that nobody builds for: the page alone
  for (const computer of [{ os: 'Windows 11' }, { os: 'Linux' }, { os: 'BeOS' }]) {
    const { body } = await ask({ ...about, ...computer });
    expect([body.version, body.file]).toEqual(['1.1', undefined]);
  }
  for (const version of ['1.1', '1.1.0', '1.10']) expect((await ask({ ...about, version })).body).toEqual(nothing);
  const { body: any } = await ask({ product_id: product.id });
  expect(any.version).toBe('1.1');
});

it('only what customers get now is offered: neither files without a version nor one that was taken back', async () => {
  const product = await makeProduct(server, scene.ada.token, { name: 'Back' });
  const about = { product_id: product.id, version: '0.9' };
  const file = (name: string): [string, string][] => [['macOS', `https://cdn.example.com/${name}`]];
  await release(product.id, '1.0', '', file('one.pkg'));
  await release(product.id, '2.0', '', file('two.pkg'));
  expect((await ask(about)).body.version).toBe('2.0');
  const [, first] = (await own('GET', `/api/products/${product.id}/file-versions`)).body;
  expect((await own('POST', `/api/file-versions/${first.id}/current`, {})).status).toBe(200);
  clock.advance(MINUTE);
  expect((await ask(about)).body.version).toBe('1.0');
  await own('PUT', `/api/products/${product.id}`, { file_urls: [{ name: 'x', url: 'https://cdn.example.com/new' }] });
  clock.advance(MINUTE);
  expect((await ask(about)).body.up_to_date).toBe(true);
});

it('drafts, deleted and other developers’ products are unknown, and asking for them is no guessing', async () => {
  const draft = await makeProduct(server, scene.ada.token, { name: 'Draft', is_draft: true });
  const gone = await makeProduct(server, scene.ada.token, { name: 'Gone' });
  await own('DELETE', `/api/products/${gone.id}`);
  const bea = await signUp(server);
  const theirs = await makeProduct(server, bea.token, { name: 'Theirs' });
  for (const { id } of [draft, gone, theirs]) {
    expect(refusal(await ask({ product_id: id }))).toEqual([400, 'invalid_request']);
  }
  for (let times = 0; times < 25; times += 1) await ask({ product_id: gone.id });
  const { code } = await scene.serial();
  expect((await scene.activate(code, 'studio')).status).toBe(200);
  expect(refusal(await ask({ product_id: 'my-synth' }))).toEqual([400, 'invalid_request']);
  expect(refusal(await ask({ product_id: draft.id }, {}, 'no-key'))).toEqual([401, 'unauthorized']);
});

it('an answer to a nonce is signed for it and kept by no cache', async () => {
  const answer = await ask({ product_id: scene.product.id }, { 'x-tonerow-nonce': 'abcdefgh' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-tonerow-nonce')).toBe('abcdefgh');
  expect(answer.headers.get('x-tonerow-signature')).toMatch(/^ed25519=/);
});
