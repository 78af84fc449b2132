import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

// Whatever is deleted while a call is about to use it: the call answers that it is gone, and nothing is half done.

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
let serial: { id: string; code: string };
/** When the database ends one of two that wait for each other: longer than any answer takes on a busy machine. */
const DEADLOCK_MS = 8000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`alter database ${name} set deadlock_timeout = ${DEADLOCK_MS}`);
  server = await startServer({ db: database });
  ada = await signUp(server);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  product = await makeProduct(server, ada.token, { trial_days: 14 });
  [serial] = (await makeSerials(server, ada.token, product.id, { quantity: 1 })) as [typeof serial];
});

const gone = () => lockWith(server.db, 'delete from serials where id = $1', [serial.id]);
const initiate = (email = 'nina@example.com') =>
  call(server, 'POST', '/api/redeem/initiate', { body: { serial: serial.code, email, dev: ada.id } });
const complete = (temp_token: string) =>
  call(server, 'POST', '/api/redeem/complete', {
    body: { temp_token, first_name: 'Nina', last_name: 'Simone' },
  });
const license = (action: string, body: object) =>
  call(server, 'POST', `/api/license/v1/${action}`, { token: key, body });
const left = async () => (await server.db.query('select 1 from redemptions where serial_id = $1', [serial.id])).length;

describe('while a serial is deleted', () => {
  it('its redemption answers that there is no such serial', async () => {
    const deletion = await gone();
    const asked = initiate();
    await deletion.untilWaiting(1);
    await deletion.release('commit');
    const { status, body } = await asked;
    expect([status, body.code]).toEqual([404, 'serial_not_found']);
  });

  it('the name step redeems nothing, and asks for the serial again', async () => {
    const { temp_token } = (await initiate('a@example.com')).body;
    const deletion = await gone();
    const asked = complete(temp_token);
    await deletion.untilWaiting(1);
    await deletion.release('commit');
    const { status, body } = await asked;
    expect([status, body.code, await left()]).toEqual([422, 'temp_token_invalid', 0]);
  });

  it('whoever came first goes first: the name step, and then its group has nothing left to delete', async () => {
    const { temp_token } = (await initiate('b@example.com')).body;
    // the name step has its serial and its ticket, and waits for the customer
    const other = await lockWith(
      server.db,
      `insert into customers (id, developer_id, email, email_key, created_at)
       values (gen_random_uuid(), $1, 'b@example.com', 'b@example.com', now())`,
      [ada.id],
    );
    const redeemed = complete(temp_token);
    await other.untilWaiting(1);
    const path = `/api/serials/group/${encodeURIComponent(product.name)}`;
    const deleted = call(server, 'DELETE', path, { token: ada.token });
    await other.untilWaiting(2);
    const began = performance.now();
    await other.release();
    const answers = [await redeemed, await deleted];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([answers[1]?.body.count, await left()]).toEqual([0, 1]);
    // neither was waiting for the other until the database ended one of them
    expect(performance.now() - began).toBeLessThan(DEADLOCK_MS - 1000);
  });

  it.each([
    ['activation', () => license('activate', { license_key: serial.code, machine_id: 'm', email: 'c@example.com' })],
    ['revocation', () => call(server, 'PATCH', `/api/serials/revoke/${serial.id}`, { token: ada.token })],
    ['refresh', () => call(server, 'PATCH', `/api/serials/refresh/${serial.id}`, { token: ada.token })],
  ])('its %s answers 404', async (action, ask) => {
    if (action === 'refresh') await server.db.query('update serials set download_count = 1 where id = $1', [serial.id]);
    const deletion = await gone();
    const asked = ask();
    await deletion.untilWaiting(1);
    await deletion.release('commit');
    expect((await asked).status).toBe(404);
  });

  it('a machine of it takes no seat and cannot be released', async () => {
    await license('activate', { license_key: serial.code, machine_id: 'first', email: 'd@example.com' });
    const [machine] = await server.db.query<{ id: string }>('select id from activations where serial_id = $1', [
      serial.id,
    ]);
    await server.db.query('alter table redemptions disable trigger all');
    await server.db.query('delete from redemptions where serial_id = $1', [serial.id]);
    await server.db.query('alter table redemptions enable trigger all');
    const deletion = await gone();
    const asked = [
      license('activate', { license_key: serial.code, machine_id: 'second' }),
      call(server, 'POST', `/api/machines/${machine?.id}/release`, { token: ada.token, body: {} }),
    ];
    await deletion.untilWaiting(2);
    await deletion.release('commit');
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('while a product is deleted', () => {
  const deletion = () => lockWith(server.db, 'delete from products where id = $1', [product.id]);
  beforeEach(async () => {
    await server.db.query('delete from serials where id = $1', [serial.id]);
    await server.db.query('delete from batches where product_id = $1', [product.id]);
  });

  it('a trial of it does not begin', async () => {
    const deleting = await deletion();
    const asked = license('trial', { product_id: product.id, machine_id: 'm' });
    await deleting.untilWaiting(1);
    await deleting.release('commit');
    expect((await asked).status).toBe(404);
  });

  it('no serials are generated for it, and it gets no RSA pair', async () => {
    const deleting = await deletion();
    const asked = [
      call(server, 'POST', '/api/serials/generate', { token: ada.token, body: { product_id: product.id } }),
      call(server, 'GET', `/api/products/${product.id}/rsa`, { token: ada.token }),
    ];
    await deleting.untilWaiting(2);
    await deleting.release('commit');
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404]);
  });

  it('a redemption that began goes on, and the product is kept for it', async () => {
    [serial] = (await makeSerials(server, ada.token, product.id, { quantity: 1 })) as [typeof serial];
    const { temp_token } = (await initiate('e@example.com')).body;
    // the redemption has its product and its serial, and waits to be counted
    const other = await lockWith(server.db, 'lock table usage_months');
    const redeemed = complete(temp_token);
    await other.untilWaiting(1);
    const deleted = call(server, 'DELETE', `/api/products/${product.id}`, { token: ada.token });
    await other.untilWaiting(2);
    const began = performance.now();
    await other.release();
    expect([(await redeemed).status, (await deleted).body.code]).toEqual([200, 'product_has_redeemed_serials']);
    expect(performance.now() - began).toBeLessThan(DEADLOCK_MS - 1000);
  });
});

it('does not show a plugin key that is deleted just now', async () => {
  const made = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body;
  const deleting = await lockWith(server.db, 'delete from plugin_keys where id = $1', [made.key.id]);
  const asked = call(server, 'GET', `/api/developer/plugin-keys/${made.key.id}/secret`, { token: ada.token });
  await deleting.untilWaiting(1);
  await deleting.release('commit');
  expect((await asked).status).toBe(404);
});
