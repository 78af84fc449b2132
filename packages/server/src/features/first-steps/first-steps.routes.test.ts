import { beforeAll, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '../../../../../test/support/http.ts';
import { type SharedServer, sharedServer } from '../../../../../test/support/server.ts';

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
