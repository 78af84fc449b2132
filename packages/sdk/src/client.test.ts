import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  createClient,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  rawRequest,
  ServerError,
  TimeoutError,
  type TonerowError,
  UnexpectedAnswerError,
  watchEvents,
} from './index.ts';
import { createOperationClient } from './operation-client.ts';

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse, count: number) => void;
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serverWith(handler: Handler, options: Partial<ClientOptions> = {}) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const slept: number[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      handler(Object.assign(request, { body }), response, seen.length);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const timing = {
    random: () => 0.5,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  const url = `http://127.0.0.1:${port}`;
  return { api: createOperationClient({ baseUrl: `${url}/`, timing, ...options }), url, seen, slept };
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

const product = { id: 'p1', name: 'Reverb' };

describe('a call', () => {
  it('fills in path and query, sends JSON with the credential, and answers the data', async () => {
    const { api, seen } = await serverWith((_request, response) => answer(response, 200, product), {
      token: () => 'secret',
    });
    expect(await api.updateProduct({ path: { id: 'a/b' }, body: { name: 'Reverb' } })).toEqual(product);
    await api.listSerials({ query: { state: 'available', search: 'a b', limit: 5 } });
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/api/products/a%2Fb', body: '{"name":"Reverb"}' });
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
    expect(seen[1]?.url).toBe('/api/serials?state=available&search=a+b&limit=5');
    expect(seen[1]?.headers['idempotency-key']).toBeUndefined();
  });

  it('answers the response beside the data on request', async () => {
    const { api } = await serverWith((_request, response) => answer(response, 200, product, { 'x-request-id': 'r1' }));
    const whole = await api.withResponse.getProduct({ path: { id: 'p1' } });
    expect([whole.data.name, whole.requestId, whole.response.status]).toEqual(['Reverb', 'r1', 200]);
  });
});

describe('the resources', () => {
  it('take the values of a path, then body, query and headers, and last the options', async () => {
    const { api, seen } = await serverWith((_request, response) => answer(response, 200, product));
    await api.products.get('a/b');
    await api.products.list({ search: 'Reverb', limit: 5 }, { headers: { 'x-own': '1' } });
    await api.products.update('p1', { name: 'Reverb' }, { idempotencyKey: 'mine' });
    await api.serials.deleteGroup('spring sale', { kind: 'promo', dry_run: true });
    await api.files.uploadPart('f1', new Blob(['part']), { 'upload-offset': '4096' });
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/products/a%2Fb', ''],
      ['GET', '/api/products?search=Reverb&limit=5', ''],
      ['PUT', '/api/products/p1', '{"name":"Reverb"}'],
      ['DELETE', '/api/serials/group/spring%20sale?kind=promo&dry_run=true', ''],
      ['PATCH', '/api/files/f1', 'part'],
    ]);
    expect(seen[1]?.headers['x-own']).toBe('1');
    expect(seen[2]?.headers['idempotency-key']).toBe('mine');
    expect(seen[4]?.headers['upload-offset']).toBe('4096');
  });

  it('are there with their responses, as streams and page by page, too', async () => {
    const { api } = await serverWith((request, response) =>
      request.url?.startsWith('/api/customers/export')
        ? response.writeHead(200, { 'content-type': 'text/csv' }).end('email\n')
        : answer(response, 200, [product], { 'x-request-id': 'r1' }),
    );
    const { data, requestId } = await api.withResponse.products.list();
    expect([data[0]?.name, requestId]).toEqual(['Reverb', 'r1']);
    expect(await (await api.stream.customers.export({ search: 'nina' })).text()).toBe('email\n');
    const names: string[] = [];
    for await (const each of api.paginate.products.list({ limit: 1 })) names.push(each.name);
    expect(names).toEqual(['Reverb']);
  });

  it('need every value of a path', async () => {
    const api = createClient({ baseUrl: 'http://127.0.0.1:49' });
    await expect(api.products.get('')).rejects.toThrow('The path /api/products/{id} needs "id".');
  });
});

describe('errors', () => {
  it.each([
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [422, InvalidRequestError],
  ])('of status %i have their class, and are not tried again', async (status, kind) => {
    const problem = { code: 'a_code', message: 'In words.', errors: [{ path: 'name', message: 'No.' }] };
    const { api, seen } = await serverWith((_request, response) =>
      answer(response, status, problem, { 'x-request-id': 'r9' }),
    );
    const error = await api.getProduct({ path: { id: 'x' } }).catch((thrown: unknown) => thrown as TonerowError);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      status,
      code: 'a_code',
      message: 'In words.',
      requestId: 'r9',
      errors: problem.errors,
    });
    expect(seen).toHaveLength(1);
  });

  it('of a proxy that cannot reach the server name the cause, and are retried', async () => {
    const { api, seen } = await serverWith((_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway'),
    );
    const error = await api.getMe().catch((thrown: unknown) => thrown as TonerowError);
    expect(error).toMatchObject({ name: 'ServerError', status: 502, problem: undefined });
    expect((error as Error).message).toMatch(/127\.0\.0\.1:\d+\/api\/auth\/me responded 502 with a web page\. A proxy/);
    expect(seen).toHaveLength(3);
  });

  it('report when there is no server', async () => {
    const api = createOperationClient({ baseUrl: 'http://127.0.0.1:49', retries: 0 });
    const error = await api.getMe().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain('ECONNREFUSED');
  });
});

describe('retries', () => {
  it.each([408, 425, 429, 500, 503])('follow status %i with growing, jittered waits', async (status) => {
    const { api, seen, slept } = await serverWith((_request, response, count) =>
      count < 3 ? answer(response, status, {}) : answer(response, 200, product),
    );
    expect(await api.getProduct({ path: { id: 'p1' } })).toEqual(product);
    expect(seen).toHaveLength(3);
    expect(slept).toEqual([250, 500]);
  });

  it('stop after the given number', async () => {
    const { api, seen } = await serverWith((_request, response) => answer(response, 500, {}), { retries: 4 });
    await expect(api.getMe()).rejects.toBeInstanceOf(ServerError);
    expect(seen).toHaveLength(5);
    await expect(api.getMe({}, { retries: 0 })).rejects.toBeInstanceOf(ServerError);
    expect(seen).toHaveLength(6);
  });

  it('wait as long as Retry-After requests, in seconds or until a date', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString();
    const { api, slept } = await serverWith((_request, response, count) =>
      count === 1
        ? answer(response, 429, {}, { 'retry-after': '7' })
        : count === 2
          ? answer(response, 503, {}, { 'retry-after': date })
          : answer(response, 200, product),
    );
    await api.getMe();
    expect(slept[0]).toBe(7000);
    expect(slept[1]).toBeGreaterThan(17_000);
    expect(slept[1]).toBeLessThanOrEqual(20_000);
  });

  it('leave a long wait to the caller', async () => {
    const { api, seen, slept } = await serverWith((_request, response) =>
      answer(response, 429, {}, { 'retry-after': '31' }),
    );
    await expect(api.getMe()).rejects.toMatchObject({ status: 429, retryAfter: 31 });
    expect([seen.length, slept]).toEqual([1, []]);
  });

  it('follow a 409 only while the same request still runs', async () => {
    const { api, seen } = await serverWith((_request, response, count) =>
      count === 1
        ? answer(response, 409, { code: 'idempotency_in_progress' })
        : answer(response, 409, { code: 'name_taken' }),
    );
    await expect(api.createProduct({ body: { name: 'x' } })).rejects.toBeInstanceOf(ConflictError);
    expect(seen).toHaveLength(2);
  });

  it('keep one idempotency key over all tries of a write, and take a new one for the next', async () => {
    const { api, seen } = await serverWith((_request, response, count) =>
      answer(response, count < 3 ? 500 : 201, product),
    );
    await api.createProduct({ body: { name: 'x' } });
    await api.createProduct({ body: { name: 'x' } });
    await api.createProduct({ body: { name: 'x' } }, { idempotencyKey: 'mine' });
    const keys = seen.map((request) => request.headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect([keys[1], keys[2]]).toEqual([keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[4]).toBe('mine');
  });

  it('follow a connection that breaks before the answer', async () => {
    const { api, seen } = await serverWith((request, response, count) =>
      count === 1 ? request.socket.destroy() : answer(response, 201, product),
    );
    await api.createProduct({ body: { name: 'x' } });
    expect(seen).toHaveLength(2);
  });

  it('do not follow an abort, whose reason comes back untouched', async () => {
    const controller = new AbortController();
    const { api, seen } = await serverWith(() => controller.abort(new Error('changed my mind')));
    await expect(api.getMe({}, { signal: controller.signal })).rejects.toThrow('changed my mind');
    expect(seen).toHaveLength(1);
  });

  it('follow a timeout', async () => {
    const { api, seen } = await serverWith(() => undefined, { timeoutMs: 60, retries: 1 });
    await expect(api.getMe()).rejects.toBeInstanceOf(TimeoutError);
    expect(seen).toHaveLength(2);
  });
});

describe('lists', () => {
  it('go on by the cursor in the header', async () => {
    const { api } = await serverWith((request, response) =>
      request.url?.includes('cursor=c2')
        ? answer(response, 200, [{ id: '3' }])
        : answer(response, 200, [{ id: '1' }, { id: '2' }], { 'x-next-cursor': 'c2' }),
    );
    const ids: string[] = [];
    for await (const row of api.paginate.listProducts()) ids.push(row.id);
    expect(ids).toEqual(['1', '2', '3']);
  });

  it('end with the last cursor where a list has pages too', async () => {
    const { api } = await serverWith((request, response) => {
      const last = request.url?.includes('cursor');
      answer(response, 200, {
        rows: [{ id: last ? '2' : '1' }],
        next_cursor: last ? null : 'n',
        total: 2,
        page: 1,
        page_size: 1,
      });
    });
    const rows: string[] = [];
    for await (const row of api.paginate.listTransactions()) rows.push(row.id);
    expect(rows).toEqual(['1', '2']);
  });

  it('go on by the cursor in the body and by page', async () => {
    const { api, seen } = await serverWith((request, response) => {
      if (request.url?.startsWith('/api/serials/redeemed')) {
        const page = Number(/page=(\d+)/.exec(request.url)?.[1] ?? 1);
        answer(response, 200, { rows: [{ id: `r${page}` }], total: 3, page, page_size: 1 });
      } else
        answer(response, 200, {
          rows: [{ id: 's' }],
          next_cursor: request.url?.includes('cursor') ? null : 'n',
          total: 2,
        });
    });
    const rows: string[] = [];
    for await (const row of api.paginate.listSerials({ query: { state: 'available' } })) rows.push(row.id);
    for await (const row of api.paginate.listRedeemedSerials()) rows.push(row.id);
    expect(rows).toEqual(['s', 's', 'r1', 'r2', 'r3']);
    expect(seen[1]?.url).toBe('/api/serials?state=available&cursor=n');
  });
});

describe('what the contract does not declare', () => {
  const html = '<!doctype html><title>Welcome</title>';
  const page = (response: ServerResponse, status: number, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (thrown: unknown) => thrown as UnexpectedAnswerError,
    );
  const key = { path: { id: 'k' } };

  it('is no success: a redirect, which names where it leads', async () => {
    const { api, seen } = await serverWith((request, response) =>
      page(response, 308, { location: `https://${request.headers.host}${request.url}` }),
    );
    const error = await failure(api.deletePluginKey(key));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ code: 'unexpected_answer', status: undefined, answer: { status: 308 } });
    expect(error?.message).toMatch(
      /redirects to https:\/\/127\S+\/plugin-keys\/k \(308\).*Use https:\/\/127\.0\.0\.1:\d+ as/,
    );
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['a web page', 200, 'text/html', html],
    ['another status', 204, 'application/json', ''],
    ['another type', 200, 'text/csv', 'id\n'],
    ['no type', 200, '', '{"ok":true}'],
    ['the refusal of another server, as JSON', 404, 'application/json', '{"message":"no Route matched"}'],
    ['the refusal of another server, as a page', 401, 'text/html', html],
  ])('is no success, and no refusal: %s', async (_name, status, type, body) => {
    const { api, seen } = await serverWith((_request, response) =>
      response.writeHead(status, type ? { 'content-type': type } : {}).end(body),
    );
    const error = await failure(api.deletePluginKey(key));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error?.message).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/developer\/plugin-keys\/k responded .*try https:\/\//,
    );
    expect(seen).toHaveLength(1);
  });

  it('is not streamed', async () => {
    const { api } = await serverWith((_request, response) => page(response, 200));
    expect(await failure(api.stream.exportCustomers())).toBeInstanceOf(UnexpectedAnswerError);
    expect(await failure(api.stream.downloadOwnFile({ path: { id: 'f' } }))).toBeInstanceOf(UnexpectedAnswerError);
  });

  it('names the path that is too many, and never the query', async () => {
    const { url } = await serverWith((_request, response) => page(response, 200));
    const api = createOperationClient({ baseUrl: `${url}/dashboard` });
    const error = await failure(api.stream.downloadFile({ query: { token: 'secret' } }));
    expect(error?.message).toContain(`${url}/dashboard/api/redeem/download responded`);
    expect(error?.message).toContain(`${url} without a path`);
    expect(error?.message).not.toContain('secret');
  });

  it('is no empty list', async () => {
    const { api } = await serverWith((_request, response) => answer(response, 200, { status: 'up' }));
    expect(await failure(api.paginate.listProducts().next())).toBeInstanceOf(UnexpectedAnswerError);
  });

  it('ends a live stream instead of being tried for ever', async () => {
    const { api, seen } = await serverWith((_request, response) => page(response, 200));
    const events = watchEvents(api, { signal: new AbortController().signal });
    expect(await failure(events.next())).toBeInstanceOf(UnexpectedAnswerError);
    expect(seen).toHaveLength(1);
  });

  it('is refused on any path that is asked for by hand', async () => {
    const { url } = await serverWith((request, response) =>
      request.url === '/metrics'
        ? response.writeHead(200, { 'content-type': 'text/plain' }).end('up 1')
        : page(response, 200),
    );
    const client = { baseUrl: url };
    expect(await failure(rawRequest(client, 'get', '/api/products?limit=1'))).toBeInstanceOf(UnexpectedAnswerError);
    expect(await failure(rawRequest(client, 'get', '/elsewhere'))).toBeInstanceOf(UnexpectedAnswerError);
    expect(await failure(rawRequest(client, 'get', '/metrics'))).toBeInstanceOf(UnexpectedAnswerError);
    const text = await rawRequest(client, 'get', '/metrics', {}, { accept: 'text/*' });
    expect(await text.text()).toBe('up 1');
  });
});

describe('an answer that is cut off', () => {
  it.each([
    ['before the length it named', 'content-length: 500'],
    ['between two pieces', 'transfer-encoding: chunked'],
    ['where only the end of the connection ends it', 'connection: close'],
  ])('%s is tried again with the same key, and never taken for whole', async (_name, header) => {
    const { api, seen } = await serverWith(({ socket }) => {
      const body = 'transfer-encoding: chunked' === header ? '7\r\n{"id":"\r\n' : '{"id":"';
      socket.end(`HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n${header}\r\n\r\n${body}`);
    });
    const error = await api.createProduct({ body: { name: 'x' } }).catch((thrown: unknown) => thrown as TonerowError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toMatch(/^The response from http:\S+\/api\/products was cut off/);
    expect(seen).toHaveLength(3);
    const keys = new Set(seen.map((request) => request.headers['idempotency-key']));
    expect([...keys]).toEqual([(error as TonerowError).idempotencyKey]);
  });

  it('is none at all', async () => {
    const { api } = await serverWith((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(),
    );
    await expect(api.getMe()).rejects.toBeInstanceOf(ConnectionError);
  });

  it('may also just stop', async () => {
    const { api } = await serverWith(
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":'),
      { timeoutMs: 60, retries: 0 },
    );
    await expect(api.getMe()).rejects.toBeInstanceOf(TimeoutError);
  });
});

it('sends the keys that its owner chooses', async () => {
  const writes: string[] = [];
  const { api, seen } = await serverWith((_request, response) => answer(response, 201, product), {
    idempotencyKey: ({ method, url, body }) => {
      writes.push(`${method} ${new URL(url).pathname} ${body}`);
      return writes.length === 1 ? 'chosen' : undefined;
    },
  });
  await api.createProduct({ body: { name: 'x' } });
  await api.createProduct({ body: { name: 'y' } });
  expect(seen[0]?.headers['idempotency-key']).toBe('chosen');
  expect(seen[1]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(writes).toEqual(['POST /api/products {"name":"x"}', 'POST /api/products {"name":"y"}']);
});

it('streams an answer as it comes', async () => {
  const { api, seen } = await serverWith((_request, response) => {
    response.writeHead(201, { 'content-type': 'text/csv', 'x-total-count': '2' });
    response.write('one\n');
    setTimeout(() => response.end('two\n'), 80);
  });
  const response = await api.stream.generateSerials(
    { body: { product_id: 'p' } },
    { accept: 'text/csv', timeoutMs: 40 },
  );
  expect(response.headers.get('x-total-count')).toBe('2');
  expect(await response.text()).toBe('one\ntwo\n');
  expect(seen[0]?.headers.accept).toBe('text/csv');
});

it('has its calls in groups only; by their operations’ names they are on the other client', () => {
  const options = { baseUrl: 'http://127.0.0.1:49' };
  const client = createClient(options);
  const byName = createOperationClient(options);
  expect(Object.keys(client)).not.toContain('updateProduct');
  expect(Object.values(client).filter((part) => typeof part === 'function')).toEqual([]);
  expect(Object.keys(client.paginate)).not.toContain('listProducts');
  expect(Object.keys(byName)).toEqual(expect.arrayContaining(['updateProduct', 'products']));
  expect(Object.keys(byName.paginate)).toEqual(expect.arrayContaining(['listProducts', 'products']));
});
