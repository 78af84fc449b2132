import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeFetch } from '@tonerow/sdk/node';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

it('what is small is the same request', () => {
  const form = new FormData();
  form.set('file', new Blob(['a']), 'a.csv');
  for (const body of [form, new Blob(['a']), '{}', undefined]) {
    const init = { method: 'POST', ...(body === undefined ? {} : { body }) };
    expect(outgoing(init, () => undefined)).toBe(init);
  }
});
