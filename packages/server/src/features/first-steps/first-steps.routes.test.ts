import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const PATH = '/api/account/first-steps';
const doneOf = async (person: Person) => {
  const { steps } = (await call(server, 'GET', PATH, { token: person.token })).body;
  return steps.filter((each: { done: boolean }) => each.done).map((each: { step: string }) => each.step);
};

it('ticks each step when it is taken, whoever else has taken it', async () => {
  const [ada, other] = [await signUp(server), await signUp(server)];
  const draft = await makeProduct(server, ada.token, { is_draft: true });
  expect(await doneOf(ada)).toEqual([]);
  const product = await makeProduct(server, ada.token);
  expect(await doneOf(ada)).toEqual(['product']);
  const [serial] = await makeSerials(server, ada.token, product.id);
  expect(await doneOf(ada)).toEqual(['product', 'serials']);
  await call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { support_email: 'help@example.com' } });
  expect(await doneOf(ada)).toEqual(['product', 'serials', 'page']);
  await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} });
  expect(await doneOf(ada)).toEqual(['product', 'serials', 'page', 'key']);
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  expect(await doneOf(ada)).toEqual(['product', 'serials', 'page', 'key', 'redemption']);
  expect(await doneOf(other)).toEqual([]);
  expect(draft.id).not.toBe(product.id);
});

it('can be put away and brought back, by the developer alone', async () => {
  const [ada, other, shop] = [await signUp(server), await signUp(server), await signUp(server, 'reseller')];
  const hide = (person: Person, hidden: unknown) =>
    call(server, 'PATCH', PATH, { token: person.token, body: { hidden } });
  expect((await hide(ada, true)).body.hidden).toBe(true);
  expect((await call(server, 'GET', PATH, { token: ada.token })).body.hidden).toBe(true);
  expect((await call(server, 'GET', PATH, { token: other.token })).body.hidden).toBe(false);
  expect((await hide(ada, false)).body.hidden).toBe(false);
  expect((await hide(ada, 'yes')).status).toBe(400);
  expect((await hide(shop, true)).status).toBe(403);
});

it('has a code for the first redemption that nobody else can have, costs nothing and stays the same until it is redeemed', async () => {
  const [ada, shop] = [await signUp(server), await signUp(server, 'reseller')];
  const prepare = (person = ada) => call(server, 'POST', `${PATH}/redemption`, { token: person.token, body: {} });
  const get = async (path: string) => (await call(server, 'GET', path, { token: ada.token })).body;
  await makeProduct(server, ada.token, { is_draft: true });
  expect([(await prepare()).status, (await prepare(shop)).status]).toEqual([422, 403]);
  const product = await makeProduct(server, ada.token, { price: 49 });
  const sold = await makeSerials(server, ada.token, product.id);
  const first = await prepare();
  expect([first.status, first.body]).toMatchObject([201, { product_name: product.name }]);
  expect(sold.map(({ code }) => code)).not.toContain(first.body.serial);
  expect((await prepare()).body).toEqual(first.body);
  const link = new URL(first.body.redeem_link);
  expect([link.pathname, Object.fromEntries(link.searchParams)]).toEqual([
    '/redeem',
    { dev: ada.id, serial: first.body.serial, email: ada.email },
  ]);
  // a revoked one opens nothing
  await call(server, 'PATCH', `/api/serials/revoke/${first.body.serial_id}`, { token: ada.token });
  const second = (await prepare()).body;
  expect(second.serial).not.toBe(first.body.serial);
  expect((await redeem(server, second.serial, ada.email, ada.id)).status).toBe(200);
  expect(await get(`/api/serials/${second.serial_id}`)).toMatchObject({
    final_price: 0,
    batch_tag: 'First redemption',
  });
  expect(await doneOf(ada)).toEqual(['product', 'serials', 'redemption']);
  expect((await get('/api/me/usage')).redemptions).toBe(1);
});

it('does not count that code as serials to sell', async () => {
  const ada = await signUp(server);
  await makeProduct(server, ada.token);
  await call(server, 'POST', `${PATH}/redemption`, { token: ada.token, body: {} });
  expect(await doneOf(ada)).toEqual(['product']);
});
