import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  bob = await signUp(server);
});

const save = (body: object, token = ada.token, headers = {}) =>
  call(server, 'POST', '/api/views', { token, body, headers });
const list = async (of = '', token = ada.token) => (await call(server, 'GET', `/api/views${of}`, { token })).body.views;
const full = { list: 'redeemed', name: 'Refused', filter: { status: 'download_limit' }, hidden_columns: ['total'] };

it('keeps a filter and columns under a name, of one list and one account', async () => {
  const { status, body } = await save(full);
  expect([status, body]).toEqual([201, expect.objectContaining(full)]);
  await save({ ...full, list: 'customers', filter: {} });
  expect((await list('?list=redeemed')).map(({ id }: { id: string }) => id)).toEqual([body.id]);
  expect(await list()).toHaveLength(2);
  expect(await list('', bob.token)).toEqual([]);
  for (const [method, path, sent] of [
    ['PATCH', `/api/views/${body.id}`, { name: 'Mine now' }],
    ['DELETE', `/api/views/${body.id}`, undefined],
  ] as const) {
    expect((await call(server, method, path, { token: bob.token, ...(sent ? { body: sent } : {}) })).status).toBe(404);
  }
});

it('is renamed, changed and deleted, and a name is there once', async () => {
  const [one] = await list('?list=redeemed');
  const two = (await save({ ...full, name: 'Others' })).body;
  const change = (body: object) => call(server, 'PATCH', `/api/views/${two.id}`, { token: ada.token, body });
  expect([(await save({ ...full, name: ' REFUSED ' })).status, (await change({ name: 'refused' })).status]).toEqual([
    409, 409,
  ]);
  expect((await change({ filter: { sort: '-total' } })).body).toMatchObject({
    name: 'Others',
    filter: { sort: '-total' },
    hidden_columns: ['total'],
  });
  expect((await change({})).status).toBe(400);
  expect((await call(server, 'DELETE', `/api/views/${two.id}`, { token: ada.token })).status).toBe(200);
  expect(await list('?list=redeemed')).toEqual([one]);
});

it('refuses what is no view', async () => {
  const { list: _, ...rest } = full;
  for (const body of [
    rest,
    { ...full, list: 'secrets' },
    { ...full, name: 'x'.repeat(61) },
    { ...full, filter: { status: 'x'.repeat(4001) } },
    { ...full, filter: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${'x'.repeat(at)}`, 'x'])) },
    { ...full, hidden_columns: ['<b>'] },
  ]) {
    expect((await save(body)).status).toBe(400);
  }
});

it('gives an account fifty of them, however many ask at once, and the same request one', async () => {
  const many = (at: number) =>
    insist(() => save({ ...full, name: `View ${at}` }, bob.token, { 'idempotency-key': `view-${at}` }));
  await Promise.all(Array.from({ length: 49 }, (_, at) => many(at)));
  const answers = await Promise.all([many(100), many(101), many(102)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  expect(await list('', bob.token)).toHaveLength(50);
  const headers = { 'idempotency-key': 'the-same-view' };
  const [a, b] = [
    await save({ ...full, name: 'Once' }, ada.token, headers),
    await save({ ...full, name: 'Once' }, ada.token, headers),
  ];
  expect([a.status, b.status, b.body.id]).toEqual([201, 201, a.body.id]);
});
