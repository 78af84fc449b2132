import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeFetch } from '@tonerow/sdk/node';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { multipart } from './multipart.ts';
import { outgoing } from './outgoing.ts';

const SIZE = 600_000;
/** Read from the disk piece by piece, as the client reads what it sends. */
let file: Blob;
let home: string;

let fake: Awaited<ReturnType<typeof startFakeServer>>;
let transport: ReturnType<typeof nodeFetch>;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-outgoing-'));
  await writeFile(path.join(home, 'large'), 'a'.repeat(SIZE));
  file = await openAsBlob(path.join(home, 'large'));
  fake = await startFakeServer();
  transport = nodeFetch();
});
afterAll(async () => {
  await transport.close();
  fake.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => fake.reset());

async function send(init: RequestInit) {
  const sent: number[] = [];
  const sending = outgoing(init, (bytes) => sent.push(bytes));
  await transport.fetch(`${fake.url}/api/files`, sending);
  return { sent, body: fake.seen.at(-1)?.body ?? '' };
}

describe('what is large', () => {
  it('arrives whole, and is counted while it goes out', async () => {
    const { sent, body } = await send({ method: 'PUT', body: file });
    expect([body.length, sent.at(-1)]).toEqual([SIZE, SIZE]);
    expect(sent.length).toBeGreaterThan(2);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
  });

  it('is sent again from its beginning by another attempt', async () => {
    const init = { method: 'PUT', body: file };
    await send(init);
    expect((await send(init)).body).toHaveLength(SIZE);
  });

  it('is a form too, with its fields', async () => {
    const form = new FormData();
    form.set('kind', 'available');
    form.set('file', file, 'serials.csv');
    const { sent, body } = await send({ method: 'POST', body: form });
    expect(body).toContain('name="kind"\r\n\r\navailable\r\n');
    expect(body).toContain('filename="serials.csv"');
    expect([body.length, body.includes('a'.repeat(SIZE))]).toEqual([sent.at(-1), true]);
  });
});

it('a form that a server refuses before it has seen all of it ends with the answer', async () => {
  const server = createServer((request, response) => {
    request.once('data', () => response.writeHead(413, { connection: 'close' }).end('too large'));
    request.on('error', () => undefined);
    response.on('finish', () => setImmediate(() => request.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const long = path.join(home, 'long');
  await writeFile(long, Buffer.alloc(32 * 1024 * 1024, 'a'));
  const form = new FormData();
  form.set('file', await openAsBlob(long), 'serials.csv');
  let sent = 0;
  const sending = outgoing({ method: 'POST', body: form }, (bytes) => {
    sent = bytes;
  });
  const answer = await transport.fetch(`http://127.0.0.1:${port}/`, sending);
  expect([answer.status, await answer.text()]).toEqual([413, 'too large']);
  // the file was not read on, into memory
  expect(sent).toBeLessThan(16 * 1024 * 1024);
  server.close();
});

it('the names of a form end no line', async () => {
  const form = new FormData();
  form.set('a"b', 'one\ntwo');
  form.set('file', new File(['x'], 'a"\r\nb.csv', { type: 'text/csv' }));
  const { type, body } = multipart(form);
  const again = await new Response(body, { headers: { 'content-type': type } }).formData();
  expect(again.get('a"b')).toBe('one\r\ntwo');
  expect(again.get('file')).toMatchObject({ type: 'text/csv', size: 1 });
});

it('what is small is the same request', () => {
  const form = new FormData();
  form.set('file', new Blob(['a']), 'a.csv');
  for (const body of [form, new Blob(['a']), '{}', undefined]) {
    const init = { method: 'POST', ...(body === undefined ? {} : { body }) };
    expect(outgoing(init, () => undefined)).toBe(init);
  }
});
