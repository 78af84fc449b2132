import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { systemRandom } from '#platform/random.ts';
import { tables } from '../tables.ts';
import { Refusals } from './refusals.ts';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
afterAll(() => server.stop());

const ask = (verb: string, body: object, token = key) =>
  call(server, 'POST', `/api/license/v1/${verb}`, { token, body });
const list = (query = '', token = ada.token) => call(server, 'GET', `/api/license/refusals${query}`, { token });
const written = (n: number) =>
  vi.waitFor(
    async () => {
      const [row] = await server.db.query<{ n: number }>(
        'select coalesce(sum(count), 0)::int as n from license_refusals',
      );
      expect(row?.n).toBe(n);
    },
    { timeout: 15_000, interval: 50 },
  );

it('lists refused calls for their developer, counts equal ones together, and deletes them after a week', async () => {
  const [one, two] = (await makeSerials(server, ada.token, product.id, { quantity: 2 })) as {
    id: string;
    code: string;
  }[];
  for (let i = 0; i < 3; i += 1) {
    await ask('validate', { license_key: one?.code, machine_id: 'a-very-long-machine-id', version: '2.1' });
  }
  await written(3);
  await ask('activate', { license_key: two?.code, machine_id: 'mac' });
  await ask('activate', { license_key: 'AAAA-AAAA-AAAA-AAAA', machine_id: 'mac' });
  await ask('activate', { license_key: two?.code, machine_id: 'mac' }, 'nonsense');
  await ask('activate', { license_key: two?.code, machine_id: 'ma,c' });
  await ask('trial', { product_id: product.id, machine_id: 'mac' });
  await written(5);
  const { body } = await list();
  expect(body.next_cursor).toBeNull();
  const { rows } = body;
  const about = (row: { action: string; status: string; count: number; serial: string | null }) => [
    row.action,
    row.status,
    row.count,
    row.serial,
  ];
  expect(rows.slice(0, 2).map(about)).toEqual(
    expect.arrayContaining([
      ['trial', 'no_trial', 1, null],
      ['activate', 'email_required', 1, two?.code],
    ]),
  );
  const validates = rows.slice(2) as { count: number }[];
  expect(validates.length).toBeLessThanOrEqual(2);
  expect(validates.reduce((sum, row) => sum + row.count, 0)).toBe(3);
  expect(validates[0]).toMatchObject({
    at: clock.now().toISOString(),
    action: 'validate',
    status: 'not_activated',
    serial_id: one?.id,
    serial: one?.code,
    product_id: product.id,
    product_name: product.name,
    machine: 'a-very-long-',
    version: '2.1',
  });
  const first = (await list('?limit=1')).body;
  const second = (await list(`?limit=1&cursor=${first.next_cursor}`)).body;
  expect([first.rows[0].id, second.rows[0].id]).toEqual([rows[0].id, rows[1].id]);
  expect((await list('?cursor=rubbish')).status).toBe(400);
  const found = async (query: string) => (await list(query)).body.rows.map((row: { status: string }) => row.status);
  expect(await found('?status=no_trial')).toEqual(['no_trial']);
  expect(await found(`?status=email_required&product_id=${product.id}`)).toEqual(['email_required']);
  expect(await found(`?product_id=${product.id}`)).toHaveLength(rows.length);
  expect(await found(`?product_id=${ada.id}`)).toEqual([]);
  expect(await found('?status=revoked')).toEqual([]);
  expect((await list('?status=nonsense')).status).toBe(400);
  expect((await list('?product_id=nonsense')).status).toBe(400);
  const narrow = (await list('?status=not_activated&limit=1')).body;
  expect([narrow.rows[0].status, narrow.next_cursor === null]).toEqual(['not_activated', validates.length === 1]);
  const stranger = await signUp(server);
  expect((await list('', stranger.token)).body.rows).toEqual([]);
});

it('turns a flood into one write a second, at most a thousand rows, and one live event per developer', async () => {
  const statements: unknown[][] = [];
  const published: { account: string; data: Record<string, unknown> }[] = [];
  const refusals = new Refusals({
    clock,
    random: systemRandom(clock),
    log: pino({ level: 'silent' }),
    db: tables.of({
      query: async (_text: string, values: unknown[]) => {
        statements.push(values);
        return [];
      },
    } as never),
    events: {
      publish: async (_sql: unknown, account: string, event: { data: Record<string, unknown> }) => {
        published.push({ account, data: event.data });
      },
    } as never,
  });
  const note = { action: 'validate', status: 'revoked', serialId: null, productId: null, version: null } as const;
  for (let i = 0; i < 5000; i += 1) refusals.note({ ...note, developerId: 'ada', machineId: `m${i}` });
  for (let i = 0; i < 5000; i += 1) refusals.note({ ...note, developerId: 'ada', machineId: 'm1' });
  await refusals.close();
  expect(statements).toHaveLength(1);
  expect(statements[0]?.[0]).toHaveLength(1000);
  expect(published).toMatchObject([{ account: 'ada', data: { count: 6000, status: 'revoked', action: 'validate' } }]);
  expect(published).toHaveLength(1);
});

it('sends a refusal to live listeners and deletes it after a week', async () => {
  const controller = new AbortController();
  const stream = await fetch(`${server.url}/api/events`, {
    headers: { authorization: `Bearer ${ada.token}` },
    signal: controller.signal,
  });
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await ask('validate', { license_key: serial?.code, machine_id: 'live' });
  let heard = '';
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  while (!heard.includes('license_refused')) heard += new TextDecoder().decode((await reader.read()).value);
  controller.abort();
  expect(heard).toMatch(/event: license_refused\ndata: \{"count":1,"action":"validate","status":"not_activated"/);
  await written(6);
  const refusals = new Refusals({
    clock: new TestClock(new Date(clock.now().getTime() + 8 * DAY)),
    random: systemRandom(clock),
    log: pino({ level: 'silent' }),
    db: tables.of(server.db as never),
    events: {} as never,
  });
  await refusals.expire();
  await refusals.close();
  await written(0);
});
