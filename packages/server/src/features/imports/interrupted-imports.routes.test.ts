import { mkdtemp } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { IMPORTS, importCalls } from '@tonerow/test-support/import-calls.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { systemRandom } from '#platform/random.ts';
import { folderStorage } from '#platform/storage/folder.ts';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Tape; "Delay"', price: 30 });
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20, sale_price: 10 });
});

const { send, countSerials } = importCalls(() => ({ server, ada }));

/** Sends a multipart body by hand: all of it, part of it, or without end. */
function raw(body: AsyncIterable<Buffer> | Iterable<Buffer>, options: { length?: number; cut?: boolean } = {}) {
  return new Promise<{ status: number; text: string } | Error>((resolve) => {
    const request = httpRequest(`${server.url}${IMPORTS.available}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': 'multipart/form-data; boundary=xyz',
        ...(options.length ? { 'content-length': options.length } : {}),
      },
    });
    request.on('error', resolve);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', resolve);
    });
    const pour = async () => {
      for await (const chunk of body) {
        if (request.destroyed) return;
        if (!request.write(chunk)) await new Promise((go) => request.once('drain', go).once('close', go));
      }
      if (options.cut) request.destroy();
      else request.end();
    };
    pour().catch(resolve);
  });
}

const OPENING = Buffer.from(
  '--xyz\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\nSerial,Product\r\n',
);

async function importOf(developerId: string) {
  const rows = await server.db.query<{ state: string; error: string | null }>(
    'select state, error from imports where developer_id = $1 order by id desc limit 1',
    [developerId],
  );
  return rows[0];
}

describe('bad moments', () => {
  it('a connection that is cut in the middle leaves nothing', async () => {
    await raw(
      (async function* () {
        yield OPENING;
        yield Buffer.from(Array.from({ length: 20_000 }, (_, i) => `CUT-${i},Chorus\r\n`).join(''));
        await vi.waitUntil(async () => (await importOf(ada.id))?.state === 'running', { timeout: 20_000 });
      })(),
      { cut: true },
    );
    await expect
      .poll(() => importOf(ada.id), { timeout: 15_000 })
      .toEqual({ state: 'failed', error: 'The upload was interrupted. Nothing was imported.' });
    expect(await countSerials()).toBe(0);
  });

  it('a body that ends before its form does is refused and leaves nothing', async () => {
    const rows = Buffer.from('END-1,Chorus\r\nEND-2,Chorus\r\n');
    const answer = await raw([OPENING, rows], { length: OPENING.length + rows.length });
    expect((answer as { status: number }).status).toBe(400);
    expect(await countSerials()).toBe(0);
  });

  it('an import whose report cannot be stored is rolled back and reports that', async () => {
    const folder = folderStorage(await mkdtemp(path.join(tmpdir(), 'tonerow-files-')), systemRandom(systemClock));
    const storage = { ...folder, put: () => Promise.reject(new Error('the storage is full')) };
    const full = await startServer({ db: server.db, overrides: { storage } });
    const form = new FormData();
    form.append('file', new Blob(['Serial,Product\nKEPT-0001,Chorus\nKEPT-0002,Nobody knows it\n']), 'a.csv');
    const answer = await call(full, 'POST', IMPORTS.available, { token: ada.token, body: form });
    expect(answer.status).toBe(500);
    const { body } = await call(full, 'GET', '/api/imports', { token: ada.token });
    expect(body[0]).toMatchObject({ state: 'failed', error: 'The server failed. Nothing was imported.' });
    expect(await countSerials()).toBe(0);
    await full.stop();
  });

  it('a form that is none is refused', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'a'],
      ['multipart/form-data; boundary=x', '--x\r\nnonsense'],
    ] as const) {
      for (const path of [IMPORTS.available, '/api/r2/upload-image', '/api/auth/register']) {
        const answer = await call(server, 'POST', path, { token: ada.token, body, headers: { 'content-type': type } });
        expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'malformed_body']);
      }
    }
  });

  it('a name with characters that cannot be stored is kept without them', async () => {
    const body =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a\u0000\u0007b.csv"\r\n\r\nEmail\nnul@example.com\n\r\n--x--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await call(server, 'POST', '/api/customers/import', { token: ada.token, body, headers });
    expect(answer.body).toMatchObject({ success: true, count: 1 });
    const listed = await call(server, 'GET', '/api/imports', { token: ada.token });
    expect(listed.body[0].file_name).toBe('ab.csv');
  });

  it('a line without end is refused early, in little memory', async () => {
    const before = process.memoryUsage().rss;
    let sent = 0;
    const answer = await raw(
      (async function* () {
        yield OPENING;
        const block = Buffer.alloc(1024 * 1024, 'x');
        // two gigabytes if read to the end
        for (; sent < 2048; sent += 1) yield block;
      })(),
    );
    if (!(answer instanceof Error)) {
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('Line 2 is longer than 64 kB');
    }
    expect(sent).toBeLessThan(200);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(300);
    expect(await countSerials()).toBe(0);
  });
});

describe('what is deleted while the file is on its way', () => {
  const files = {
    available: 'Serial,Product\nDEL-1,Chorus\nDEL-2,"Tape; ""Delay"""\n',
    redeemed: 'Serial,Product,Email\nDEL-1,Chorus,a@example.com\nDEL-2,"Tape; ""Delay""",a@example.com\n',
  };

  it.each(['available', 'redeemed'] as const)('leaves the lines of its product out of %s serials', async (kind) => {
    for (const [name, how] of [
      ['chorus', 'delete from products p using held where p.id = held.id'],
      ['tape; "delay"', 'update products p set deleted_at = now() from held where p.id = held.id'],
    ] as const) {
      const held = 'with held as (select id from products where developer_id = $1 and name_key = $2 for update)';
      const deleting = await lockWith(server.db, `${held} ${how}`, [ada.id, name]);
      const sent = send(kind, files[kind]);
      await deleting.untilWaiting(1);
      await deleting.release('commit');
      const { status, body } = await sent;
      expect([status, body.count, body.rejected]).toEqual([200, name === 'chorus' ? 1 : 0, name === 'chorus' ? 1 : 2]);
      expect(body.warnings[0].reason).toMatch(/^No product is named "/);
    }
  });

  it('is nothing at all when that is the account', async () => {
    // as a deletion does, which locks the account where its rows are
    const held =
      'select 1 from users u left join products p on p.developer_id = $1 and p.id = $1 where u.id = $1 for update of u';
    const deleting = await lockWith(server.db, held, [ada.id]);
    await deleting.sql.query('update users set deleted_at = now() where id = $1', [ada.id]);
    const sent = send('customers', 'Email\nlate@example.com\n');
    await deleting.untilWaiting(1).finally(() => deleting.release('commit'));
    expect((await sent).status).toBe(401);
    expect(await server.db.query('select 1 from customers where developer_id = $1', [ada.id])).toEqual([]);
  });
});
