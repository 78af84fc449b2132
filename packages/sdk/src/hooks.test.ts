import { answer, serverWith } from '@tonerow/test-support/sdk-server.ts';
import { expect, it } from 'vitest';
import { type FailedTry, ServerError } from './index.ts';

const product = { id: 'p1', name: 'Reverb' };

it('shows what is sent before each try, without its credentials', async () => {
  const requests: [Request, number][] = [];
  const { api, seen } = await serverWith(
    (_request, response, count) => (count === 1 ? answer(response, 503, {}) : answer(response, 201, product)),
    { token: 'tnr_pat_secret', onRequest: (request, attempt) => requests.push([request, attempt]) },
  );
  await api.products.create({ name: 'Reverb' }, { headers: { cookie: 'session=secret', 'x-own': '1' } });
  expect(requests.map(([{ method, url }, attempt]) => [method, new URL(url).pathname, attempt])).toEqual([
    ['POST', '/api/products', 1],
    ['POST', '/api/products', 2],
  ]);
  for (const [index, [{ headers }]] of requests.entries()) {
    const sent = seen[index]?.headers;
    expect(sent).toMatchObject({ authorization: 'Bearer tnr_pat_secret', cookie: 'session=secret' });
    expect(headers.get('authorization')).toBe('Bearer ***');
    expect([...headers.values()].join()).not.toContain('secret');
    for (const name of ['idempotency-key', 'tonerow-api-version', 'user-agent', 'content-type', 'x-own'])
      expect(headers.get(name)).toBe(sent?.[name]);
  }
});

it('hides a credential without a scheme as a whole', async () => {
  let shown: string | null = null;
  const onRequest = ({ headers }: Request) => {
    shown = headers.get('authorization');
  };
  const { api } = await serverWith((_request, response) => answer(response, 200, product), { onRequest });
  await api.products.get('p1', { headers: { authorization: 'secret' } });
  expect(shown).toBe('***');
});

it('reports each try that failed, with or without a response, and whether another follows', async () => {
  const failed: FailedTry[] = [];
  const { api, url } = await serverWith(
    (request, response, count) => (count < 3 ? request.socket.destroy() : answer(response, 500, { code: 'broken' })),
    { onError: (failure) => failed.push(failure) },
  );
  const error = await api.products.get('p1').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServerError);
  const call = { method: 'GET', url: `${url}/api/products/p1`, ms: expect.any(Number) };
  expect(failed).toMatchObject([
    { ...call, attempt: 1, willRetry: true, error: { name: 'ConnectionError', attempts: 1 } },
    { ...call, attempt: 2, willRetry: true, error: { name: 'ConnectionError', attempts: 2 } },
    { ...call, attempt: 3, willRetry: false, error: { code: 'broken', attempts: 3 } },
  ]);
  expect(failed[2]?.error).toBe(error);
});

it('reports the end of a call by its own signal, and nothing of a call that succeeds', async () => {
  const failed: FailedTry[] = [];
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  const { api } = await serverWith(
    (_request, response, count) => (count === 1 ? answer(response, 200, product) : controller.abort(reason)),
    { onError: (failure) => failed.push(failure) },
  );
  await api.products.get('p1');
  expect(failed).toEqual([]);
  await expect(api.products.get('p1', { signal: controller.signal })).rejects.toBe(reason);
  expect(failed).toMatchObject([{ attempt: 1, error: reason, willRetry: false }]);
});

it('ends a call with the error of a hook before it, which is no failure of the connection', async () => {
  const { api, seen } = await serverWith((_request, response) => answer(response, 200, product), {
    onRequest: () => {
      throw new Error('no log');
    },
  });
  await expect(api.products.get('p1')).rejects.toThrow('no log');
  expect(seen).toEqual([]);
});
