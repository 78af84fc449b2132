import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { connect } from 'node:net';
import { call, makeProduct, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * Input that none of our clients sends, for every operation of the contract, signed in and not: each response
 * has a status that the operation declares, and none of them is a 5xx.
 */

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}
interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  'x-access': { as: string };
}
interface Route extends Operation {
  method: string;
  path: string;
}
interface Sent {
  body?: Buffer | string;
  headers?: Record<string, string>;
  query?: string;
}

const ABSENT = '01900000-0000-7000-8000-000000000000';
const DEEP = 100_000;
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

let server: SharedServer;
let routes: Route[];
let document: { components: { schemas: Record<string, Schema> }; paths: Record<string, Record<string, Operation>> };
let owner: Person;
let pluginKey: string;
let agent: http.Agent;

beforeAll(async () => {
  server = await sharedServer();
  agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  document = (await call(server, 'GET', '/api/openapi.json')).body;
  routes = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    )
    // ends the session that the others need
    .sort((a, b) => Number(a.operationId === 'logout') - Number(b.operationId === 'logout'));
  owner = await signUp(server);
  await makeProduct(server, owner.token);
  const key = await call(server, 'POST', '/api/developer/plugin-keys', { token: owner.token, body: {} });
  pluginKey = key.body.plaintext;
});
afterAll(async () => {
  agent.destroy();
});

/** The names of a body's fields, as the contract gives them. */
function fieldsOf(route: Route): string[] {
  const [content] = Object.values(route.requestBody?.content ?? {});
  const names = (schema: Schema | undefined): string[] => {
    if (!schema) return [];
    if (schema.$ref) return names(document.components.schemas[schema.$ref.split('/').at(-1) as string]);
    return [...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? []).flatMap(names)];
  };
  return [...new Set(names(content?.schema))];
}

const nested = (open: string, close: string, core: string) => open.repeat(DEEP) + core + close.repeat(DEEP);
const arrays = nested('[', ']', '');
const objects = nested('{"a":', '}', '1');

const many = Array.from({ length: 2_000 }, (_, at) => `"k${at}":1`).join();
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

/** The same for every route, and made once: some are large. */
const anywhere = (
  [
    ['deep arrays', { headers: json, body: arrays }],
    ['deep objects', { headers: json, body: objects }],
    ['deep objects in an unknown field', { headers: json, body: `{"zzz":${objects}}` }],
    ['deep arrays that never end', { headers: json, body: '['.repeat(DEEP) }],
    ['a deep form', { headers: form, body: `a${'[a]'.repeat(DEEP)}=1` }],
    ['a form of many fields', { headers: form, body: 'a=1&'.repeat(100_000) }],
    ['JSON labelled as a form', { headers: form, body: objects }],
    ['an object with the prototype as a key', { headers: json, body: '{"__proto__":{"x":1}}' }],
    ['an object of many unknown fields', { headers: json, body: `{${many}}` }],
    ...['null', '[]', '"x"', '1', '', ' ', '{', '\ufeff{}'].map((text): [string, Sent] => [
      `the body ${JSON.stringify(text)}`,
      { headers: json, body: text },
    ]),
    ['random bytes as JSON', { headers: json, body: randomBytes(2000) }],
    ['random bytes without a type', { body: randomBytes(2000) }],
    ['random bytes as a form', { headers: form, body: randomBytes(2000) }],
    ['random bytes as multipart', { headers: multipart, body: randomBytes(2000) }],
    ['multipart without a boundary', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
    ['a type of which nobody knows', { headers: { 'content-type': 'x/y' }, body: 'x' }],
    ['a type that is none', { headers: { 'content-type': '\u00ff;;;=' }, body: '{}' }],
    ['two megabytes', { headers: json, body: `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}` }],
    ['a body in gzip', { headers: { ...json, 'content-encoding': 'gzip' }, body: randomBytes(100) }],
  ] as [string, Sent][]
).map(([name, sent]): [string, Sent] => [name, { ...sent, body: Buffer.from(sent.body ?? '') }]);

/** JSON as text, because much of it is what no serializer writes. */
function bodies(route: Route): [string, Sent][] {
  const fields = fieldsOf(route);
  const all = (value: string) => `{${fields.map((name) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  const values = {
    'deep arrays': arrays,
    'numbers beyond all': '1e400',
    'a negative number': '-9007199254740993',
    'a tiny number': '5e-324',
    'NUL characters': '"a\\u0000b"',
    'lone surrogates': '"\\ud800"',
    'a long text': `"${'x'.repeat(20_000)}"`,
    'names of the prototype': '{"constructor":{"prototype":{"x":1}}}',
    null: 'null',
    'lists of nothing': '[null,null]',
  };
  const part = (type: string, content: string) =>
    `--b\r\ncontent-disposition: form-data; name="${fields[0] ?? 'file'}"\r\ncontent-type: ${type}\r\n\r\n${content}\r\n--b--\r\n`;
  return [
    ...anywhere,
    ...Object.entries(values).map(([name, value]): [string, Sent] => [
      `${name} in every field`,
      { headers: json, body: all(value) },
    ]),
    [
      'deep JSON in a part of a form',
      { headers: multipart, body: part('application/json', nested('[', ']', '').slice(DEEP - 4900, DEEP + 4900)) },
    ],
    ['a part of NUL characters', { headers: multipart, body: part('text/plain', 'a\0b') }],
    [
      'a part in a charset of which nobody knows',
      { headers: multipart, body: part('text/plain; charset=x-none', 'a') },
    ],
  ];
}

function heads(route: Route): [string, Sent][] {
  const names = (route.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
  const query = (value: string) =>
    [...names, 'zzz']
      .map((name) => `${name}=${value}`)
      .join('&')
      .slice(0, 12_000);
  const long = 'x'.repeat(10_000);
  return [
    ['a query of NUL characters', { query: query('%00') }],
    ['a query that is no UTF-8', { query: query('%ED%A0%80%FF') }],
    ['a query of broken escapes', { query: query('%zz%') }],
    ['a query of long values', { query: query('x'.repeat(Math.floor(10_000 / (names.length + 1)))) }],
    ['a query of huge numbers', { query: query('1e400') }],
    ['a query of the same names again', { query: `${query('1')}&${query('2')}` }],
    ['a query of names with brackets', { query: names.map((name) => `${name}[a][b]=1`).join('&') }],
    ['a query of the prototype', { query: '__proto__=1&constructor=2&toString=3' }],
    ['a long Authorization', { headers: { authorization: `Bearer ${long}` } }],
    ['a long Idempotency-Key', { headers: { 'idempotency-key': long } }],
    ['a long Accept', { headers: { accept: 'a/b,'.repeat(2500) } }],
    ['a long range', { headers: { range: `bytes=${'0-1,'.repeat(2500)}`, 'if-range': long.slice(0, 2000) } }],
    ['a long user agent', { headers: { 'user-agent': long } }],
    [
      'headers that are no ASCII',
      { headers: { 'user-agent': '\u00ff\u00fe', origin: '\u00e9', referer: '\u00ff', 'x-tonerow-nonce': '\u00ff' } },
    ],
    [
      'an address of somebody else',
      { headers: { 'x-forwarded-for': '\u00ff, ::1, %', forwarded: 'for=x', host: 'x'.repeat(300) } },
    ],
  ];
}

/** Over a bare socket: `fetch` refuses some of this. */
function send(method: string, path: string, sent: Sent, token?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const body = typeof sent.body === 'string' ? Buffer.from(sent.body) : sent.body;
    const request = http.request(
      `${server.url}${path}${sent.query ? `?${sent.query}` : ''}`,
      {
        method,
        agent,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-length': body.length } : {}),
          ...sent.headers,
        },
      },
      (response) => {
        const status = response.statusCode as number;
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          response.destroy();
          return resolve({ status, text: '' });
        }
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => resolve({ status, text: Buffer.concat(parts).toString() }));
        response.on('error', reject);
      },
    );
    // a body that is refused may be cut off while it is sent; what counts is the answer
    request.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET'
        ? resolve({ status: 413, text: error.code })
        : reject(error),
    );
    request.end(body);
  });
}

async function offended(route: Route, cases: [string, Sent][], token?: string): Promise<string[]> {
  const found: string[] = [];
  const path = route.path.replace(/\{\w+\}/g, ABSENT);
  for (const [name, sent] of cases) {
    const { status, text } = await send(route.method, path, sent, token);
    // sent by Node's own parser of headers, before there is a route
    if (status === 431) continue;
    if (status >= 500 || !(status in route.responses)) found.push(`${name}: ${status} ${text.slice(0, 300)}`);
  }
  return found;
}

const operationIds = Object.keys((await import('../access/access-table.ts')).accessTable);

describe('hostile input', () => {
  it.each(operationIds)('%s answers what it declares', async (id) => {
    const route = routes.find((each) => each.operationId === id) as Route;
    const cases = [...(route.method === 'GET' ? [] : bodies(route)), ...heads(route)];
    const access = route['x-access'].as;
    const token = access === 'plugin' ? pluginKey : access === 'admin' ? undefined : owner.token;
    // without a credential nothing behind the guard is reached, and one look is enough
    const anonymous = access === 'public' ? cases : cases.slice(0, 2);
    expect(await offended(route, anonymous)).toEqual([]);
    if (token && access !== 'public') expect(await offended(route, cases, token)).toEqual([]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s to an unknown address', async (method) => {
    const route = { method, path: '/api/nothing', responses: { 400: 1, 404: 1, 413: 1, 415: 1 } } as unknown as Route;
    for (const path of ['/api/nothing', '/nothing', '/api/license/nothing', '/media/files/x/y'])
      expect(await offended({ ...route, path }, [...bodies(route), ...heads(route)])).toEqual([]);
  });

  it('leaves the account, the session and the server as they were', async () => {
    expect((await call(server, 'GET', '/readyz')).body).toEqual({ status: 'ready' });
    const login = await call(server, 'POST', '/api/auth/login', { body: { email: owner.email, password: PASSWORD } });
    expect(login.status).toBe(200);
    expect(server.logged()).not.toMatch(/"level":"(error|fatal)"/);
  });
});

describe('what is not even a request', () => {
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (part) => {
        answer += part;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
    });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['an address with broken escapes', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a header of 100 kB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    ['a method that nobody knows', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ])('%s is refused with a problem document', async (_name, text, status) => {
    const answer = await raw(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status, code: 'malformed_body' });
  });
});
