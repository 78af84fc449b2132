import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

type Answer = [status: number, body: unknown, headers?: Record<string, string>];

let home: string;
let server: Server;
let answers: Record<string, Answer>;
let seen: { line: string; headers: IncomingHttpHeaders; body: string }[];
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-api-'));
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const line = `${request.method} ${request.url}`;
    seen.push({ line, headers: request.headers, body });
    const [status, answer, more] = answers[line] ?? [404, { code: 'not_found', message: 'Not found.' }];
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type, ...more }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => {
  [answers, seen] = [{}, []];
});

const run = (line: string[], stdin?: string) =>
  runCommand(['api', ...line], {
    env: {
      XDG_CONFIG_HOME: home,
      HOME: home,
      TONEROW_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      TONEROW_TOKEN: 'tnr_pat_x',
    },
    stdin,
  });

describe('the method', () => {
  it('is GET where it is left out, and POST where there is a body', async () => {
    answers = { 'GET /api/products': [200, []], 'POST /api/products': [201, { id: 'p' }] };
    expect((await run(['/api/products'])).out).toBe('[]\n');
    expect((await run(['/api/products', '--field', 'name=Reverb'])).code).toBe(0);
    expect((await run(['/api/products', '--input', '-'], '{}')).code).toBe(0);
    expect(seen.map(({ line, body }) => [line, body])).toEqual([
      ['GET /api/products', ''],
      ['POST /api/products', '{"name":"Reverb"}'],
      ['POST /api/products', '{}'],
    ]);
    const alone = await run(['GET']);
    expect([alone.code, alone.err]).toEqual([64, expect.stringContaining('The path must begin with a slash')]);
  });
});

describe('--paginate', () => {
  it('reads a list to its end by the cursor in its body, and keeps the rest of the query', async () => {
    answers = {
      'GET /api/serials?state=available': [200, { rows: [{ code: 'A' }, { code: 'B' }], total: 3, next_cursor: 'c+1' }],
      'GET /api/serials?state=available&cursor=c%2B1': [200, { rows: [{ code: 'C' }], total: 3, next_cursor: null }],
    };
    const whole = await run(['GET', '/api/serials?state=available', '--paginate']);
    expect([whole.code, JSON.parse(whole.out)]).toEqual([0, [{ code: 'A' }, { code: 'B' }, { code: 'C' }]]);
    const codes = await run(['GET', '/api/serials?state=available', '--paginate', '--jq', '.[].code']);
    expect(codes.out).toBe('A\nB\nC\n');
  });

  it('also by the cursor in a header, and by the number of a page', async () => {
    answers = {
      'GET /api/products': [200, [{ name: 'A' }], { 'x-next-cursor': 'n' }],
      'GET /api/products?cursor=n': [200, [{ name: 'B' }]],
      'GET /api/numbered': [200, { rows: [1, 2], page: 1, page_size: 2, total: 3 }],
      'GET /api/numbered?page=2': [200, { rows: [3], page: 2, page_size: 2, total: 3 }],
    };
    expect(JSON.parse((await run(['GET', '/api/products', '--paginate', '--json=name'])).out)).toEqual([
      { name: 'A' },
      { name: 'B' },
    ]);
    expect(JSON.parse((await run(['GET', '/api/numbered', '--paginate'])).out)).toEqual([1, 2, 3]);
  });

  it('is refused for what is no list, and for what changes something', async () => {
    answers = { 'GET /api/auth/me': [200, { email: 'a@b.c' }] };
    const none = await run(['GET', '/api/auth/me', '--paginate']);
    expect([none.code, none.out, none.err]).toEqual([64, '', expect.stringContaining('no list')]);
    const calls = seen.length;
    expect((await run(['POST', '/api/products', '--paginate'])).code).toBe(64);
    expect((await run(['GET', '/api/products', '--paginate', '-i'])).code).toBe(64);
    expect(seen).toHaveLength(calls);
  });
});

describe('-i', () => {
  it('prints status and headers before the body', async () => {
    answers = { 'GET /api/plans': [200, [], { 'x-request-id': 'r-1' }] };
    const { code, out } = await run(['GET', '/api/plans', '-i']);
    expect([code, out.split('\n')[0]]).toEqual([0, 'HTTP 200 OK']);
    expect(out).toContain('\nx-request-id: r-1\n');
    expect(out.endsWith('\n\n[]\n')).toBe(true);
  });

  it('of a refusal too, whose message stays on standard error', async () => {
    const { code, out, err } = await run(['GET', '/api/nothing', '--include']);
    expect([code, out.split('\n')[0], err]).toEqual([1, 'HTTP 404 Not Found', expect.stringContaining('Not found.')]);
  });
});

describe('a request', () => {
  it('has the headers that were given, but no other credential', async () => {
    answers = { 'GET /api/plans': [200, []] };
    await run(['GET', '/api/plans', '-H', 'Accept-Language: de', '--header', 'X-Trace:1']);
    expect(seen[0]?.headers).toMatchObject({ 'accept-language': 'de', 'x-trace': '1' });
    for (const header of ['Authorization: Bearer x', 'Cookie: a=b', 'nonsense', 'A: ü'])
      expect((await run(['GET', '/api/plans', '-H', header])).code, header).toBe(64);
    expect(seen).toHaveLength(1);
  });

  it('has a body from a file or standard input', async () => {
    answers = { 'POST /api/products': [201, { id: 'p' }] };
    const file = path.join(home, 'body.json');
    await writeFile(file, '{"name":"Echo"}');
    await run(['POST', '/api/products', '--input', file]);
    await run(['POST', '/api/products', '--input', '-'], '{"name":"Delay"}');
    expect(seen.map(({ body }) => body)).toEqual(['{"name":"Echo"}', '{"name":"Delay"}']);
    const missing = await run(['POST', '/api/products', '--input', path.join(home, 'none.json')]);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('cannot be read (ENOENT)')]);
    expect((await run(['POST', '/api/products', '--input', file, '--field', 'a=1'])).code).toBe(64);
    expect(seen).toHaveLength(2);
  });
});
