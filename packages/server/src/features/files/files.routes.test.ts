import { type FileServer, fileCalls, PART, startFileServer } from '@tonerow/test-support/file-calls.ts';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Account } from '#features/accounts';
import { DAY, MINUTE } from '#platform/clock.ts';
import { openDatabase } from '#platform/db/open.ts';
import { createLogger } from '#platform/log.ts';
import { Secrets } from '#platform/secrets/secrets.ts';
import { Files } from './files.service.ts';
import { tables } from './tables.ts';

let files: FileServer;
const { create, get, objects, remove, send, upload } = fileCalls(() => files);
let server: TestServer;
let ada: Person;
let clock: FileServer['clock'];
let random: FileServer['random'];
let storage: FileServer['storage'];
beforeAll(async () => {
  files = await startFileServer();
  ({ server, ada, clock, random, storage } = files);
});
afterAll(() => files.stop());

describe('products', () => {
  const put = (id: string, body: unknown) => call(server, 'PUT', `/api/products/${id}`, { token: ada.token, body });
  const post = (rows: unknown[], token = ada.token) =>
    call(server, 'POST', '/api/products', { token, body: { name: `P${random.id()}`, file_urls: rows } });

  it('have own files, by their name when there is no label', async () => {
    const file = await upload(Buffer.from('x'), 'Reverb Mac.dmg');
    const made = await post([{ url: 'https://example.com/a.zip' }, { url: file.url }, { name: 'Mac', url: file.url }]);
    expect(made.body.file_urls).toEqual([
      { name: 'a.zip', url: 'https://example.com/a.zip' },
      { name: 'Reverb Mac.dmg', url: file.url },
      { name: 'Mac', url: file.url },
    ]);
    const changed = await put(made.body.id, { file_urls: [{ url: file.url }] });
    expect(changed.body.file_urls).toEqual([{ name: 'Reverb Mac.dmg', url: file.url }]);
  });

  it('have no unfinished file, no stranger’s and none that never was', async () => {
    const unfinished = (await create(5)).body;
    const file = await upload(Buffer.from('x'));
    const bea = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const absent = '/media/files/01900000-0000-7000-8000-000000000000';
    const rows = (url: string) => [{ url: 'https://example.com' }, { url }];
    for (const answer of [
      await post(rows(unfinished.url)),
      await post(rows(absent)),
      await post(rows(file.url), bea.token),
      await post(rows('/media/files/x')),
      await post(rows(`/media/images/${random.id()}.webp`)),
      await put(product.id, { file_urls: rows(absent) }),
    ]) {
      expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([
        400,
        'invalid_request',
        'file_urls.1.url',
      ]);
    }
  });

  it('keep their file from being deleted', async () => {
    const file = await upload(Buffer.from('x'));
    const product = await makeProduct(server, ada.token, { file_urls: [{ name: '', url: file.url }] });
    const refused = await remove(file.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect(refused.body.message).toContain(product.name);
    expect((await put(product.id, { file_urls: [] })).status).toBe(200);
    expect((await remove(file.id)).body).toEqual({ ok: true });
    expect((await get(file.id)).status).toBe(404);
  });

  it('never end up with a file that is deleted at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const file = await upload(Buffer.from('x'));
      const [made, removed] = await Promise.all([post([{ url: file.url }]), remove(file.id)]);
      expect([made.status === 201, removed.status === 200].filter(Boolean)).toHaveLength(1);
    }
  });
});

describe('lists and strangers', () => {
  it('page newest first', async () => {
    const bea = await signUp(server);
    for (const name of ['a', 'b', 'c']) await create(1, name, bea.token);
    const list = (query: string) => call(server, 'GET', `/api/files${query}`, { token: bea.token });
    const first = await list('?limit=2');
    expect(first.body.map((file: { name: string }) => file.name)).toEqual(['c', 'b']);
    expect(first.headers.get('x-total-count')).toBe('3');
    const next = await list(`?limit=2&cursor=${first.headers.get('x-next-cursor')}`);
    expect(next.body.map((file: { name: string }) => file.name)).toEqual(['a']);
    expect(next.headers.get('x-next-cursor')).toBeNull();
    expect((await list('?cursor=rubbish')).status).toBe(400);
  });

  it('look as if nothing were there', async () => {
    const { id } = (await create(5)).body;
    const bea = await signUp(server);
    const authorization = { authorization: `Bearer ${bea.token}` };
    expect((await get(id, bea.token)).status).toBe(404);
    expect((await remove(id, bea.token)).status).toBe(404);
    expect((await send(id, 0, Buffer.alloc(5), authorization)).status).toBe(404);
    expect((await call(server, 'GET', `/api/files/${id}/download`, { token: bea.token })).status).toBe(404);
    const reseller = await signUp(server, 'reseller');
    expect((await create(5, 'a', reseller.token)).status).toBe(403);
    expect((await get(id)).body.received).toBe(0);
  });
});

it('removes uploads that rest for seven days, and finishes whole ones', async () => {
  const sizes = { api: 2, licensing: 1, bulk: 1 };
  const log = createLogger('silent');
  const { db } = openDatabase({ url: server.db.url, sizes, log, entities: [Account], migrationsFolder: 'migrations' });
  onTestFinished(() => db.close());
  const service = new Files({
    db: tables.of(db),
    clock,
    random,
    secrets: new Secrets([TEST_SECRET], random),
    storage,
    jobs: { enqueue: async () => {} },
    log,
    publicUrl: server.url,
    serials: { downloadsOpen: async () => true },
  });
  const rested = (await create(PART + 5)).body;
  expect((await send(rested.id, 0, Buffer.alloc(PART))).status).toBe(200);
  const whole = await upload(Buffer.from('abc'));
  await server.db.query('update files set completed_at = null where id = $1', [whole.id]);
  const count = async (id: string) => (await server.db.query('select 1 from files where id = $1', [id])).length;

  clock.advance(7 * DAY - MINUTE);
  await service.expireUploads();
  expect([await count(rested.id), await count(whole.id)]).toEqual([1, 1]);
  const [row] = await server.db.query('select completed_at from files where id = $1', [whole.id]);
  expect(row?.completed_at).not.toBeNull();
  clock.advance(MINUTE);
  await service.expireUploads();
  expect([await count(rested.id), await count(whole.id)]).toEqual([0, 1]);
  expect((await objects()).filter((name) => name.startsWith(rested.id))).toEqual([]);
});
