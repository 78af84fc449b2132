import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let greedy: Person;
let other: Person;

beforeAll(async () => {
  // one account may fill a quarter of the spool, which is less than this export needs
  server = await startServer({ env: { TONEROW_SPOOL_GB: '0.01', TONEROW_BULK_POOL_SIZE: '1' } });
  greedy = await signUp(server);
  const large = await makeProduct(server, greedy.token);
  const body = { product_id: large.id, quantity: 10_000, notes: 'n'.repeat(150) };
  const headers = { accept: 'text/csv' };
  for (let batch = 1; batch <= 4; batch += 1) {
    const made = await call(server, 'POST', '/api/serials/generate', { token: greedy.token, body, headers });
    expect(made.status).toBe(201);
  }
  other = await signUp(server);
  await makeSerials(server, other.token, (await makeProduct(server, other.token)).id);
}, 120_000);
afterAll(() => server.stop());

const available = ({ token }: Person) =>
  call(server, 'GET', '/api/serials?state=available', { token, headers: { accept: 'text/csv' } });

it('an export that outgrows its room in the spool is cut off, and frees its space for the next one', async () => {
  await expect(available(greedy)).rejects.toThrow();
  const { status, text } = await available(other);
  expect(status).toBe(200);
  expect(text.trimEnd().split('\n').length).toBeGreaterThan(1);
});
