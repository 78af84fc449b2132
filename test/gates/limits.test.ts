import { call } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' }, web: true });
});
afterAll(() => server.stop());

/** Sends the same until it is refused. */
async function until429(method: string, path: string, most: number): Promise<number> {
  for (let sent = 1; sent <= most; sent += 1) {
    const { status, headers } = await call(server, method, path);
    if (status !== 429) continue;
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    return sent;
  }
  throw new Error(`${most} requests and no refusal`);
}

it('limits who tries out addresses, and goes on answering health checks and the API', async () => {
  expect(await until429('GET', '/wp-login.php', 700)).toBeGreaterThan(500);
  // one allowance for all of them
  expect((await call(server, 'POST', '/api/nothing', { body: {} })).status).toBe(429);
  expect((await call(server, 'GET', '/api/plans')).status).toBe(200);
  for (let i = 0; i < 1300; i += 1) {
    const path = i % 2 ? '/livez' : '/readyz';
    const { status, headers } = await call(server, 'GET', path);
    expect([path, status, headers.get('ratelimit')]).toEqual([path, 200, null]);
  }
});

it('counts the dashboard’s files apart, so that many who share an address can open it at once', async () => {
  const file = await call(server, 'GET', '/assets/nothing.js');
  expect([file.status, file.headers.get('ratelimit-policy')]).toEqual([404, '"files";q=12000;w=60']);
  const before = await call(server, 'GET', '/api/plans');
  for (let i = 0; i < 5; i += 1) await call(server, 'GET', '/assets/nothing.js');
  const after = await call(server, 'GET', '/api/plans');
  const left = ({ headers }: typeof before) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  expect(left(after)).toBe(left(before) - 1);
});
