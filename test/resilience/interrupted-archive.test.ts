import { createHash } from 'node:crypto';
import { call, makeProduct, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { beforeAll, beforeEach, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token);
});

const own = (method: string, route: string, body?: object) =>
  call(server, method, route, { token: ada.token, ...(body ? { body } : {}) });
const archive = async (id: string) => (await own('GET', `/api/account/archives/${id}`)).body;
const jobOf = async (id: string) =>
  (
    await server.db.query<{ state: string }>(
      "select state from pgboss.job where name = 'account-archive' and data->>'id' = $1",
      [id],
    )
  )[0]?.state;

/** Begins an archive that comes to a table which somebody holds, and has to wait there. */
async function amid(act: (id: string) => Promise<void>): Promise<string> {
  const holder = new pg.Client({ connectionString: server.db.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table product_unlocks in access exclusive mode');
    const body = { password: PASSWORD, passphrase: 'a passphrase of some length' };
    const made = await own('POST', '/api/account/archives', body);
    expect(made.status).toBe(202);
    const { id } = made.body;
    await expect.poll(async () => (await archive(id)).tables_done, { timeout: 20_000 }).toBeGreaterThan(0);
    await act(id);
    return id;
  } finally {
    await holder.end();
  }
}

it('the deletion of the account amid it ends an archive, and nothing is left of it', async () => {
  const id = await amid(async () => {
    const gone = await own('DELETE', '/api/account/delete', { password: PASSWORD, unpaid: true });
    expect(gone.status, gone.text).toBe(200);
  });
  await expect.poll(() => jobOf(id), { timeout: 20_000 }).toBe('completed');
  expect(await server.db.query('select id from account_archives where developer_id = $1', [ada.id])).toEqual([]);
  // it is no failure that an operator has to look at
  expect(server.logged()).not.toContain('an archive failed');
});

it('begins anew where its process died, and is whole then', async () => {
  const kept = { file_key: Buffer.alloc(0), head: '' };
  const id = await amid(async (making) => {
    const rows = await server.db.query<typeof kept>(
      'select file_key, head from account_archives where developer_id = $1 and id = $2',
      [ada.id, making],
    );
    Object.assign(kept, rows[0]);
  });
  await expect.poll(async () => (await archive(id)).state, { timeout: 20_000 }).toBe('complete');
  // as a process leaves it that dies, and as the queue gives it to the next one
  await server.db.query(
    `update account_archives set state = 'running', size = null, sha256 = null, finished_at = null, file_key = $3,
       tables_done = 3, rows = 7 where developer_id = $1 and id = $2`,
    [ada.id, id, kept.file_key],
  );
  await queueJob(server.db, 'account-archive', { developerId: ada.id, id });
  await expect.poll(async () => (await archive(id)).state, { timeout: 20_000 }).toBe('complete');
  const done = await archive(id);
  expect(done.tables_done).toBe(done.tables_total);
  const link = await own('GET', `/api/account/archives/${id}/download`);
  const location = link.headers.get('location') as string;
  const whole = Buffer.from(await (await fetch(location)).arrayBuffer());
  expect(createHash('sha256').update(whole).digest('hex')).toBe(done.sha256);
  // and it is fetched in parts, as a client does that goes on after a break
  const rest = await fetch(location, { headers: { range: `bytes=${whole.length - 10}-` } });
  expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([206, whole.subarray(-10)]);
});
