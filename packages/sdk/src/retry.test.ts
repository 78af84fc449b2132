import { answer, serverWith } from '@tonerow/test-support/sdk-server.ts';
import { describe, expect, it } from 'vitest';
import { ConflictError, ServerError, TimeoutError, uploadFile } from './index.ts';

const product = { id: 'p1', name: 'Reverb' };

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

  it('begin within the time that the caller has for them', async () => {
    const { api, seen, slept } = await serverWith(
      (_request, response, count) => answer(response, 503, {}, { 'retry-after': String(10 * count) }),
      { retryBudgetMs: 15_000 },
    );
    // the second pause would end after it
    await expect(api.getMe()).rejects.toBeInstanceOf(ServerError);
    expect([seen.length, slept]).toEqual([2, [10_000]]);
    await expect(api.getMe({}, { retryBudgetMs: 0 })).rejects.toBeInstanceOf(ServerError);
    expect(seen).toHaveLength(3);
  });

  it('do not follow what the server calls final', async () => {
    const { api, seen } = await serverWith((_request, response) =>
      answer(response, 503, { code: 'payments_not_configured' }, { 'x-should-retry': 'false' }),
    );
    await expect(api.getMe()).rejects.toMatchObject({ name: 'ServerError', final: true });
    await expect(uploadFile(api, new File(['x'], 'x.zip'))).rejects.toMatchObject({ final: true });
    expect(seen).toHaveLength(2);
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

  it('follow no timeout of a file, which takes as long as it takes', async () => {
    const { api, seen } = await serverWith(
      (_request, response) => void setTimeout(() => answer(response, 200, {}), 900),
      {
        timeoutMs: 400,
        retries: 0,
      },
    );
    const file = new File(['Serial,Product'], 'stock.csv');
    await api.importAvailableSerials({ body: { file } });
    await api.checkImport({ path: { id: 'i' } });
    await expect(api.getMe()).rejects.toBeInstanceOf(TimeoutError);
    expect(seen).toHaveLength(3);
  });

  it('follow a timeout', async () => {
    const { api, seen } = await serverWith(() => undefined, { timeoutMs: 400, retries: 1 });
    await expect(api.getMe()).rejects.toBeInstanceOf(TimeoutError);
    expect(seen).toHaveLength(2);
  });

  it('are counted by the error that the call ends with', async () => {
    const { api } = await serverWith((request, response) => {
      const what = request.url?.split('/').at(-1);
      if (what === 'me') answer(response, 500, {});
      else if (what === 'gone') answer(response, 404, { code: 'not_found' });
      else if (what === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end();
      else if (what === 'cut') response.writeHead(200, { 'content-type': 'application/json' }).end();
      else if (what === 'broken') request.socket.destroy();
      else if (what !== 'silent') answer(response, 200, {});
    });
    await expect(api.getMe()).rejects.toMatchObject({ name: 'ServerError', attempts: 3 });
    await expect(api.getMe({}, { retries: 0 })).rejects.toMatchObject({ attempts: 1 });
    for (const [id, name, attempts] of [
      ['gone', 'NotFoundError', 1],
      ['page', 'UnexpectedAnswerError', 1],
      ['cut', 'ConnectionError', 3],
      ['broken', 'ConnectionError', 3],
      ['silent', 'TimeoutError', 3],
    ] as const)
      await expect(api.products.get(id, id === 'silent' ? { timeoutMs: 60 } : {})).rejects.toMatchObject({
        name,
        attempts,
      });
    const list = api.paginate.products.list({ limit: 1 });
    await expect(list.page()).rejects.toMatchObject({ name: 'UnexpectedAnswerError', attempts: 1 });
  });

  it('are counted while an earlier request with the key runs, too', async () => {
    const { api } = await serverWith(
      (_request, response, count) =>
        count < 4
          ? answer(response, 409, { code: 'idempotency_in_progress', held_for: 5 })
          : answer(response, 409, { code: 'name_taken' }),
      { onHeld: () => undefined },
    );
    await expect(api.products.create({ name: 'x' })).rejects.toMatchObject({ code: 'name_taken', attempts: 4 });
  });

  it('of a part of a file are counted from the last one that arrived', async () => {
    const file = { id: 'f', size: 2, received: 0, part_size: 1, complete: false };
    const { api, seen } = await serverWith((request, response) =>
      request.method !== 'PATCH'
        ? answer(response, request.method === 'POST' ? 201 : 200, file)
        : request.headers['upload-offset'] === '0' && seen.length > 2
          ? answer(response, 200, Object.assign(file, { received: 1 }))
          : answer(response, 500, {}),
    );
    const timing = { random: () => 0, sleep: async () => undefined };
    const failed = uploadFile(api, new File(['xy'], 'x.zip'), { attempts: 2, timing });
    await expect(failed).rejects.toMatchObject({ name: 'ServerError', attempts: 3 });
  });
});
