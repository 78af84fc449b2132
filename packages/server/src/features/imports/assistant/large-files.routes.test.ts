import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { CHECKED_AT_ONCE } from './checker.ts';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
});

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the contract’s
type Answer = any;

const at = (id: string, step = '') => `/api/imports/${id}${step}`;
const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  call(server, method, path, { token: ada.token, ...(body && { body }) });
const read = async (id: string): Promise<Answer> => (await ask('GET', at(id))).body;

/** A file that claims to be longer than it is. */
async function large(text: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([text]), 'sales.csv');
  const { body } = await call(server, 'POST', '/api/imports', { token: ada.token, body: form });
  await server.db.query('update import_plans set size = $3 where developer_id = $1 and import_id = $2', [
    ada.id,
    body.id,
    CHECKED_AT_ONCE.csv + 1,
  ]);
  return body.id;
}

async function noLongerChecking(id: string): Promise<Answer> {
  await expect.poll(async () => (await read(id)).state, { timeout: 20_000 }).not.toBe('checking');
  return read(id);
}

const HEAD = 'Serial,Product,Email,Total Price,Purchase Date\n';
const sale = (code: string, product = 'Chorus', date = '2024-05-01') =>
  `${code},${product},nina@example.com,10,${date}\n`;
const SALES = `${HEAD}${sale('BIG-1')}${sale('BIG-2', 'Flanger')}`;

/** As while its check runs, without one. */
const checkedAt = (id: string, seen: string) =>
  server.db.query(`update imports set state = 'checking', seen_at = ${seen} where developer_id = $1 and id = $2`, [
    ada.id,
    id,
  ]);

it('is checked as a job, which no proxy waits for, and can be run then', async () => {
  const id = await large(SALES);
  const begun = await ask('POST', at(id, '/check'));
  expect([begun.status, begun.body.state, begun.body.plan.check]).toEqual([202, 'checking', null]);
  const checked = await noLongerChecking(id);
  expect(checked).toMatchObject({ state: 'open', error: null, lines: 0, rejected: 0, finished_at: null });
  expect(checked.plan.check).toMatchObject({ lines: 2, added: 1, rejected: 1, amount: 10 });
  const refused = await call(server, 'GET', at(id, '/report'), { token: ada.token });
  expect(refused.text).toContain('Flanger');
  expect((await ask('POST', at(id, '/run'))).status).toBe(202);
  await expect.poll(async () => (await read(id)).state, { timeout: 20_000 }).toBe('complete');
});

it('shows what is wrong with the file as a whole, and is open again', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => sale(`BIG-${index}`));
  const id = await large([HEAD, ...rows, sale('LAST', 'Chorus', '03/04/2024')].join(''));
  await ask('POST', at(id, '/check'));
  const failed = await noLongerChecking(id);
  expect(failed).toMatchObject({ state: 'open', error: expect.stringContaining('03/04/2024') });
  expect(failed.plan.check).toBeNull();
  // the next change takes the complaint away
  expect((await ask('PATCH', at(id), { values: { Country: 'DE' } })).body.error).toBeNull();
});

it('is neither changed nor run while it is checked; asked again, it answers how far it is', async () => {
  const id = await large(SALES);
  await checkedAt(id, 'now()');
  expect(await ask('POST', at(id, '/check'))).toMatchObject({ status: 202, body: { state: 'checking' } });
  for (const answer of [await ask('POST', at(id, '/run')), await ask('PATCH', at(id), { kind: 'redeemed' })]) {
    expect([answer.status, answer.body.message]).toEqual([409, 'This import is being checked.']);
  }
  expect((await ask('DELETE', at(id))).status).toBe(200);
  expect((await ask('GET', at(id))).status).toBe(404);
});

it('is open again when its check died with its process', async () => {
  const id = await large(SALES);
  await checkedAt(id, "now() - interval '3 hours'");
  await queueJob(server.db, 'expire-records');
  expect(await noLongerChecking(id)).toMatchObject({ state: 'open', error: expect.stringContaining('Try again') });
});
