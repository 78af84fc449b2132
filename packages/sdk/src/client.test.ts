import { answer, serverWith } from '@tonerow/test-support/sdk-server.ts';
import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  createClient,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  type TonerowError,
} from './index.ts';
import { createOperationClient } from './operation-client.ts';

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
    setTimeout(() => response.end('two\n'), 1_200);
  });
  const response = await api.stream.generateSerials(
    { body: { product_id: 'p' } },
    { accept: 'text/csv', timeoutMs: 500 },
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
