import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../main.ts';

type Answer = [status: number, body: unknown, headers?: Record<string, string>];

const ID = '01900000-0000-7000-8000-000000000001';
let home: string;
let server: Server;
/** One after the other. */
let answers: Answer[];
let keys: (string | undefined)[];
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-waiting-'));
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      keys.push(request.headers['idempotency-key'] as string | undefined);
      const [status, body, headers] = answers.shift() ?? [404, {}];
      const type = status < 400 ? 'application/json' : 'application/problem+json';
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => {
  [answers, keys] = [[], []];
});

const env = () => ({
  XDG_CONFIG_HOME: home,
  XDG_STATE_HOME: home,
  HOME: home,
  TONEROW_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  TONEROW_TOKEN: 'tnr_pat_x',
});

describe('a request that another with its key still holds', () => {
  const made = { ok: true, plaintext: 'tnr_plg_1', key: { id: 'k', label: 'Mine' } };
  const held: Answer = [409, { code: 'idempotency_in_progress', message: 'Still running.', held_for: 0.01 }];
  const create = ['keys', 'create', 'Mine', '--idempotency-key', 'release-1'];

  it('is waited for, with the time until when, and its response is the result', async () => {
    answers = [held, held, held, held, [201, made]];
    const now = () => Date.UTC(2026, 2, 14, 9, 26, 53);
    const ended = await runCommand(create, { env: env(), now });
    expect([ended.code, ended.out]).toEqual([0, 'tnr_plg_1\n']);
    expect(ended.err.match(/Waiting for its response until 09:26:53 at the latest/g)).toHaveLength(1);
    expect(new Set(keys)).toEqual(new Set(['release-1']));
  });

  it('is one line of JSON for a script, and nothing with --quiet', async () => {
    answers = [held, [201, made]];
    const json = await runCommand([...create, '--json'], { env: env() });
    expect([json.code, JSON.parse(json.err)]).toEqual([0, { code: 'waiting', message: expect.any(String) }]);
    answers = [held, [201, made]];
    expect((await runCommand([...create, '--quiet'], { env: env() })).err).toBe('');
  });
});

describe('a reader that wants no more, such as head,', () => {
  /** Standard output that is closed after so many bytes. */
  const closing = (after: number) => {
    let bytes = 0;
    return new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(bytes > after ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : null);
      },
    }).on('error', () => undefined);
  };

  async function generate(quantity: number) {
    const stderr = new PassThrough();
    let err = '';
    stderr.on('data', (chunk) => {
      err += chunk;
    });
    const line = ['serials', 'generate', '--product', ID, '--quantity', String(quantity)];
    const io = { stdin: Readable.from([]), stdout: closing(10), stderr, env: env() };
    const code = await main(line, { ...io, signal: new AbortController().signal });
    return { code, err };
  }

  it.each([
    [
      'codes',
      5,
      [201, { batch_id: 'b-1', count: 5, serials: Array.from({ length: 5 }, (_, at) => ({ code: `AAAA-${at}` })) }],
    ],
    [
      'a CSV',
      60_000,
      [201, 'Serial\r\nA-1\r\nA-2\r\n', { 'content-type': 'text/csv', 'x-batch-id': 'b-1', 'x-total-count': '60000' }],
    ],
  ] as [string, number, Answer][])('leaves the batch’s id and no success, of %s', async (_what, quantity, answer) => {
    answers = [[200, { id: ID, name: 'Reverb' }], answer];
    const { code, err } = await generate(quantity);
    expect(code).toBe(3);
    expect(err).toContain('Batch: b-1\n');
    expect(err).toContain('tonerow serials batch b-1 --out FILE');
    expect(err).not.toContain('serials generated.');
  });
});

it('a watch reports once that its connection is lost, and afterwards that it has not seen everything', async () => {
  const stream = { 'content-type': 'text/event-stream' };
  const down: Answer = [503, { code: 'unavailable', message: 'Not now.' }];
  const low = { product_id: ID, product_name: 'Prism Delay', serials_available: 3 };
  answers = [[200, '', stream], down, down, [200, `event: low_serials\ndata: ${JSON.stringify(low)}\n\n`, stream]];
  const pause = async () => undefined;
  const { code, out, err } = await runCommand(['serials', 'watch', '--count', '2'], { env: env(), pause });
  expect(code, err).toBe(0);
  expect(out.split('\n').map((line) => line.slice(10))).toEqual([
    'gap        what happened while there was no connection is not shown',
    'low        Prism Delay: 3 left',
    '',
  ]);
  expect(err.match(/Watching|lost/g)).toEqual(['Watching', 'lost', 'Watching']);
});
