import { call, makeProduct, makeSerials, PASSWORD, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let ada: Person;
let bob: Person;
let validate: () => ReturnType<typeof call>;
beforeAll(async () => {
  server = await startServer({ env: { TONEROW_POOL_SIZE: '4', TONEROW_BULK_POOL_SIZE: '2' } });
  ada = await signUp(server);
  bob = await signUp(server);
  const product = await makeProduct(server, ada.token);
  const [serial] = await makeSerials(server, ada.token, product.id);
  await redeem(server, serial?.code as string, 'nina@example.com');
  const key = await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'Key' } });
  const body = { license_key: serial?.code, machine_id: 'one' };
  const ask = (name: string) => call(server, 'POST', `/api/license/v1/${name}`, { token: key.body.plaintext, body });
  expect((await ask('activate')).status).toBe(200);
  validate = () => ask('validate');
});
afterAll(() => server.stop());

const login = (person: Person) =>
  call(server, 'POST', '/api/auth/login', { body: { email: person.email, password: PASSWORD } });

/** Many requests at once that all wait inside the database. */
function stuck(count: number, ask: () => ReturnType<typeof call>) {
  return Promise.all(Array.from({ length: count }, ask));
}

describe('requests of one account that wait in the database', () => {
  it('keep neither plugins nor sign-in nor readiness waiting', async () => {
    const lock = await lockWith(server.db, 'lock table customers in access exclusive mode');
    const waiting = stuck(30, () => call(server, 'GET', '/api/customers/list', { token: ada.token }));
    await lock.untilWaiting(2);
    expect((await validate()).status).toBe(200);
    expect((await login(bob)).status).toBe(200);
    expect((await call(server, 'GET', '/api/products', { token: bob.token })).status).toBe(200);
    expect((await call(server, 'GET', '/readyz')).status).toBe(200);
    await lock.release();
    const statuses = (await waiting).map((answer) => answer.status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  });

  it('leave connections to the plugins even when they are redemptions', async () => {
    const lock = await lockWith(server.db, 'lock table redeem_tickets in access exclusive mode');
    const ticket = { temp_token: 'x'.repeat(40), first_name: 'Nina', last_name: 'Simone' };
    const waiting = stuck(20, () => call(server, 'POST', '/api/redeem/complete', { body: ticket }));
    await lock.untilWaiting(1);
    expect((await validate()).status).toBe(200);
    await lock.release();
    for (const { status, body } of await waiting) {
      expect([422, 429, 503], JSON.stringify(body)).toContain(status);
    }
  });
});
