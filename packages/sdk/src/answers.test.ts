import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { answer, serverWith } from '@tonerow/test-support/sdk-server.ts';
import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  rawRequest,
  TimeoutError,
  type TonerowError,
  UnexpectedAnswerError,
  watchEvents,
} from './index.ts';
import { createOperationClient } from './operation-client.ts';

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

describe('the headers of a response', () => {
  it('are on the error that came with it, and not in the way of what is logged', async () => {
    const { api } = await serverWith((request, response) => {
      const [type, status] = request.url?.endsWith('page') ? ['text/html', 200] : ['application/problem+json', 404];
      response.writeHead(status, { 'content-type': type, 'x-node': 'n1' }).end('{"code":"not_found"}');
    });
    const failure = (id: string) => api.products.get(id).catch((thrown: unknown) => thrown as TonerowError);
    for (const [id, name] of Object.entries({ gone: 'NotFoundError', page: 'UnexpectedAnswerError' })) {
      const error = (await failure(id)) as TonerowError;
      expect([error.name, error.headers?.get('x-node')]).toEqual([name, 'n1']);
      expect(inspect(error)).not.toContain('x-node');
    }
  });

  it('are on the error where it was cut off or stopped, and where there was none they are not', async () => {
    const { api } = await serverWith((request, response) => {
      if (request.url?.endsWith('none')) return request.socket.destroy();
      response.writeHead(200, { 'content-type': 'application/json', 'x-node': 'n1' });
      if (request.url?.endsWith('cut')) response.end();
      else response.write('{"id":', () => request.url?.endsWith('broken') && request.socket.destroy());
    });
    const failure = async (id: string, timeoutMs = 30_000) => {
      const thrown = await api.products.get(id, { retries: 0, timeoutMs }).catch((error: unknown) => error);
      return [(thrown as TonerowError).name, (thrown as TonerowError).headers?.get('x-node')];
    };
    expect(await failure('cut')).toEqual(['ConnectionError', 'n1']);
    expect(await failure('broken')).toEqual(['ConnectionError', 'n1']);
    expect(await failure('silent', 500)).toEqual(['TimeoutError', 'n1']);
    expect(await failure('none')).toEqual(['ConnectionError', undefined]);
  });
});
