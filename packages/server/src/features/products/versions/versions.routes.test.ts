import { hash } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});

const ask = (method: string, path: string, body?: object, token = ada.token) =>
  call(server, method, path, { token, ...(body ? { body } : {}) });
const upload = async (name: string) => {
  const { body: file } = await ask('POST', '/api/files', { name, size: name.length });
  const sent = await fetch(`${server.url}/api/files/${file.id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/octet-stream',
      'upload-offset': '0',
    },
    body: name,
  });
  expect(sent.status).toBe(200);
  return file as { id: string; url: string };
};
const give = (id: string, url: string) => ask('PUT', `/api/products/${id}`, { file_urls: [{ name: 'macOS', url }] });
const record = (id: string, name: string, notes?: string) =>
  ask('POST', `/api/products/${id}/file-versions`, { name, notes });
const sha = (text: string) => hash('sha256', text, 'hex');
const list = async (id: string): Promise<[string, boolean][]> =>
  (await ask('GET', `/api/products/${id}/file-versions`)).body.map((v: { name: string; is_current: boolean }) => [
    v.name,
    v.is_current,
  ]);

it('keeps what a product had under each version, and gives an older one out again', async () => {
  const product = await makeProduct(server, ada.token, { name: 'Delay' });
  expect((await record(product.id, '1.0')).body.code).toBe('domain_rule');
  const [one, two] = [await upload('delay-1.pkg'), await upload('delay-2.pkg')];
  await give(product.id, one.url);
  const first = await record(product.id, ' 1.0 ');
  expect([first.status, first.body.name, first.body.is_current]).toEqual([201, '1.0', true]);
  expect(first.body.files).toEqual([
    {
      name: 'macOS',
      url: one.url,
      size: 'delay-1.pkg'.length,
      uploaded_at: expect.any(String),
      sha256: expect.toBeOneOf([null, sha('delay-1.pkg')]),
      os: 'macos',
      arch: null,
    },
  ]);
  await give(product.id, two.url);
  // the files were changed, and are no version yet
  expect(await list(product.id)).toEqual([['1.0', false]]);
  expect((await record(product.id, '1.0')).body.code).toBe('conflict');
  await record(product.id, '2.0');
  expect((await record(product.id, '2.0', ' Less noise.\r\nMore. ')).body.notes).toBe('Less noise.\nMore.');
  expect((await record(product.id, '2.0')).body.notes).toBe('Less noise.\nMore.');
  expect((await record(product.id, '2.0', 'a\u0007b')).body.errors[0].path).toBe('notes');
  expect(await list(product.id)).toEqual([
    ['2.0', true],
    ['1.0', false],
  ]);
  const before = (await ask('GET', `/api/products/${product.id}`)).body.version;
  const used = await ask('POST', `/api/file-versions/${first.body.id}/current`, {});
  expect([used.status, used.body.is_current]).toEqual([200, true]);
  const after = (await ask('GET', `/api/products/${product.id}`)).body;
  expect([after.file_urls, after.version]).toEqual([[{ name: 'macOS', url: one.url }], before + 1]);
  // again changes nothing
  await ask('POST', `/api/file-versions/${first.body.id}/current`, {});
  expect((await ask('GET', `/api/products/${product.id}`)).body.version).toBe(before + 1);
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const nina = `nina-${ada.id}@example.com`;
  const page = await redeem(server, serial?.code as string, nina, ada.id);
  expect(page.body.products[0].files).toHaveLength(1);
  expect(page.body.products[0].version).toBe('1.0');
  const bought = await server.email((email) => email.to?.[0]?.address === nina && email.subject === 'Delay is yours');
  expect(bought.text).toContain('Files · 1.0\nmacOS');
  const log = (await ask('GET', '/api/audit-log?limit=20')).body.rows;
  const audited = log.filter((row: { action: string }) => row.action.startsWith('version_'));
  expect(audited.map((row: { action: string; detail: string }) => `${row.action} ${row.detail}`)).toEqual([
    'version_used Delay 1.0',
    'version_recorded Delay 2.0',
    'version_recorded Delay 1.0',
  ]);
});

it('holds the files of a version until the version is deleted', async () => {
  const product = await makeProduct(server, ada.token, { name: 'Chorus' });
  const [one, two] = [await upload('chorus-1.pkg'), await upload('chorus-2.pkg')];
  await give(product.id, one.url);
  const { body: first } = await record(product.id, '1.0');
  await give(product.id, two.url);
  const refused = await ask('DELETE', `/api/files/${one.id}`);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Version 1.0 of “Chorus” has this file. Delete that version first.',
  ]);
  expect((await ask('DELETE', `/api/file-versions/${first.id}`)).status).toBe(200);
  expect((await ask('DELETE', `/api/file-versions/${first.id}`)).status).toBe(404);
  expect((await ask('DELETE', `/api/files/${one.id}`)).status).toBe(200);
  expect((await ask('GET', `/api/products/${product.id}`)).body.file_urls).toEqual([{ name: 'macOS', url: two.url }]);
});

it('records one version when it is asked twice at once, and none of a product that is gone', async () => {
  const product = await makeProduct(server, ada.token, {
    file_urls: [{ name: 'Mac', url: 'https://example.com/a.pkg' }],
  });
  const both = await Promise.all([record(product.id, '3'), record(product.id, '3')]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(both[0]?.body.id).toBe(both[1]?.body.id);
  expect(both[0]?.body.files[0]).toMatchObject({ size: null, uploaded_at: null });
  expect((await record(product.id, 'a\nb')).status).toBe(400);
  await ask('DELETE', `/api/products/${product.id}`);
  expect((await ask('GET', `/api/products/${product.id}/file-versions`)).status).toBe(404);
  expect((await ask('POST', `/api/file-versions/${both[0]?.body.id}/current`, {})).status).toBe(404);
});
