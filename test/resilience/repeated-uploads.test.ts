import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { blankPng } from '@tonerow/test-support/images.ts';
import { untilWaiting } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, TestClock } from '../../packages/server/src/platform/clock.ts';

// A multipart POST whose answer was lost is sent again with the same Idempotency-Key.

const clock = new TestClock('2026-05-01T12:00:00Z');
/** When the database ends one of two that wait for each other: longer than it takes a busy machine to make them wait. */
const DEADLOCK_MS = 4000;
let database: TestDatabase;
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`alter database ${name} set deadlock_timeout = ${DEADLOCK_MS}`);
  server = await startServer({ db: database, overrides: { clock } });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus' });
});

const AVAILABLE = '/api/serials/import-available';
const post = (path: string, key: string, file: string | Buffer, fields: Record<string, string> = {}, name = 'file') => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append(name, new Blob([file as never]), 'a.csv');
  return call(server, 'POST', path, { token: ada.token, body: form, headers: { 'idempotency-key': key } });
};
const picture = (side: number) => blankPng({ width: side, height: side, bits: 8, color: 'rgb' });
const imports = () =>
  server.db.query<{ id: string; state: string }>('select id, state from imports where developer_id = $1', [ada.id]);
const serials = async () => (await server.db.query('select 1 from serials where developer_id = $1', [ada.id])).length;

describe('an import under one key', () => {
  const csv = 'Serial,Product\nKEY-1,Chorus\nKEY-2,Nothing\n';

  it.each([
    ['available serials', AVAILABLE, csv, 'Serial,Product\nKEY-3,Chorus\n'],
    [
      'redeemed serials',
      '/api/serials/import-redeemed',
      'Serial,Product,Email\nKEY-1,Chorus,a@example.com\n',
      'Serial,Product,Email\nKEY-3,Chorus,b@example.com\n',
    ],
    ['customers', '/api/customers/import/', 'Email\na@example.com\n', 'Email\nb@example.com\n'],
  ])('answers a repeat as it did first, and refuses another file: %s', async (_what, path, file, other) => {
    const first = await post(path, 'once', file);
    expect([first.status, first.body.count, first.headers.get('idempotency-replayed')]).toEqual([200, 1, null]);
    const again = await post(path, 'once', file);
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true']);
    for (const answer of [await post(path, 'once', other), await post(`${path}?dry_run=true`, 'once', file)])
      expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await imports()).toEqual([{ id: first.body.import_id, state: 'complete' }]);
    // another key, or none, is another import
    expect((await post(path, 'twice', file)).body).toMatchObject({ count: 0, known: 1 });
  });

  it('is made once by many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(AVAILABLE, 'many', csv)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const made = await imports();
    expect([made.length, await serials()]).toEqual([1, 1]);
  });

  it('can be tried again with a mended file after it was refused', async () => {
    expect((await post(AVAILABLE, 'mend', 'Code\nKEY-1\n')).status).toBe(422);
    expect((await post(AVAILABLE, 'mend', csv)).body.count).toBe(1);
  });

  it('is found again after the process died between the import and its answer', async () => {
    const first = await post(AVAILABLE, 'died', csv);
    const died = (fingerprint: string) =>
      server.db.query(
        `update idempotency_records set status = null, answer = null, locked_until = $2, fingerprint = ${fingerprint}
         where id = $1`,
        [first.body.import_id, clock.now()],
      );
    await died('fingerprint');
    const other = await post(AVAILABLE, 'died', 'Serial,Product\nKEY-9,Chorus\n');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    await died('fingerprint');
    const again = await post(AVAILABLE, 'died', csv);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.body.warnings).toHaveLength(1);
    expect([(await imports()).length, await serials()]).toEqual([1, 1]);
  });

  it('starts over, under its id, after the process died in the middle', async () => {
    const first = await post(AVAILABLE, 'middle', csv);
    const id = first.body.import_id;
    await server.db.query(`update imports set state = 'running', finished_at = null where id = $1`, [id]);
    await server.db.query('delete from serials where developer_id = $1', [ada.id]);
    // it died before the whole file had arrived
    await server.db.query(
      `update idempotency_records set status = null, answer = null, locked_until = $2, fingerprint = '' where id = $1`,
      [id, clock.now()],
    );
    const again = await post(AVAILABLE, 'middle', csv);
    expect(again.body).toMatchObject({ import_id: id, count: 1 });
    expect(await imports()).toEqual([{ id, state: 'complete' }]);
  });

  it('is not taken for dead while its file is on its way', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    const body = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${csv}`;
    const ending = '\r\n--x--\r\n';
    socket.write(
      `POST ${AVAILABLE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ada.token}\r\nidempotency-key: slow\r\n` +
        `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length + ending.length}\r\n\r\n${body}`,
    );
    const record = async () =>
      (
        await server.db.query<{ locked_until: Date }>(
          'select r.locked_until from idempotency_records r join imports i on i.id = r.id where i.developer_id = $1',
          [ada.id],
        )
      )[0];
    await expect.poll(record).toBeDefined();
    clock.advance(1.5 * MINUTE);
    await expect
      .poll(async () => (await record())?.locked_until.getTime())
      .toBeGreaterThan(clock.now().getTime() + MINUTE);
    clock.advance(MINUTE);
    const repeat = await post(AVAILABLE, 'slow', csv);
    expect([repeat.status, repeat.body.code]).toEqual([409, 'idempotency_in_progress']);
    socket.write(ending);
    await expect.poll(() => answer, { timeout: 10_000 }).toContain('"count":1');
    socket.destroy();
    expect((await post(AVAILABLE, 'slow', csv)).headers.get('idempotency-replayed')).toBe('true');
  });
});

it('an image under one key is stored once', async () => {
  for (const path of ['/api/r2/upload-image', '/api/products/upload-logo']) {
    const first = await post(path, 'picture', picture(8));
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const again = await post(path, 'picture', picture(8));
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect((await post(path, 'picture', picture(9))).body.code).toBe('idempotency_key_reused');
  }
});

it('a registration with a logo is one', async () => {
  const email = `${randomUUID()}@example.com`;
  const fields = { first_name: 'Ada', last_name: 'Row', email, password: PASSWORD };
  const register = (logo: Buffer) => post('/api/auth/register', email, logo, fields, 'logo');
  const first = await register(picture(8));
  expect(first.status).toBe(201);
  const again = await register(picture(8));
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect((await register(picture(9))).status).toBe(422);
});

it('an import goes on when the database ended it for the sake of somebody else', async () => {
  await post(AVAILABLE, 'first', 'Serial,Product\nDEAD-1,Chorus\nDEAD-2,Chorus\n');
  const ids = await server.db.query<{ id: string }>('select id from serials where developer_id = $1 order by id', [
    ada.id,
  ]);
  const other = new pg.Client({ connectionString: server.db.url });
  await other.connect();
  await other.query('begin');
  await other.query('update serials set download_count = 1 where id = $1', [ids[1]?.id]);
  const sold = 'Serial,Product,Email\nDEAD-1,Chorus,a@example.com\nDEAD-2,Chorus,a@example.com\n';
  const sent = post('/api/serials/import-redeemed', 'dead', sold);
  await untilWaiting(other, 1);
  // each has what the other wants; the import, which has waited longer, is the one that is ended
  const crossed = other.query('update serials set download_count = 2 where id = $1', [ids[0]?.id]);
  await crossed;
  await other.query('commit');
  await other.end();
  expect((await sent).body).toMatchObject({ count: 2, lines: 2, rejected: 0 });
});
