import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, idle, listener, trickle, unread } from '@tonerow/test-support/attacks.ts';
import { call, makeProduct, makeSerials, PASSWORD, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

// One free account tries to harm everybody else's plugins with slow, greedy and silent connections.

const IMPORT = '/api/serials/import-available';
const LINES = 120_000;
let server: TestServer;
let ada: Person;
let mallory: Person;
let validate: () => ReturnType<typeof call>;
const attacks: Attack[] = [];

beforeAll(async () => {
  server = await startServer({
    env: {
      TONEROW_POOL_SIZE: '4',
      TONEROW_BULK_POOL_SIZE: '2',
      // longer than the uploads of these tests, which are this process's own, stall on a busy machine
      TONEROW_STALL_SECONDS: '4',
      TONEROW_MAX_SOCKETS_PER_ADDRESS: '60',
    },
  });
  ada = await signUp(server);
  mallory = await signUp(server);
  const product = await makeProduct(server, ada.token);
  const [serial] = await makeSerials(server, ada.token, product.id);
  await redeem(server, serial?.code as string, 'nina@example.com');
  const key = await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} });
  const body = { license_key: serial?.code, machine_id: 'one' };
  const ask = (name: string) => call(server, 'POST', `/api/license/v1/${name}`, { token: key.body.plaintext, body });
  expect((await ask('activate')).status).toBe(200);
  validate = () => ask('validate');
  // more than the buffers of a socket hold
  const large = await makeProduct(server, mallory.token);
  const made = await call(server, 'POST', '/api/serials/generate', {
    token: mallory.token,
    body: { product_id: large.id, quantity: LINES, notes: 'n'.repeat(150) },
    headers: { accept: 'text/csv' },
  });
  expect(made.text.trimEnd().split('\r\n')).toHaveLength(LINES + 1);
}, 120_000);
afterEach(() => {
  for (const attack of attacks.splice(0)) attack.stop();
});
afterAll(() => server.stop());

const track = (attack: Attack) => {
  attacks.push(attack);
  return attack;
};
const many = (count: number, make: () => Attack) => Array.from({ length: count }, () => track(make()));
const login = () => call(server, 'POST', '/api/auth/login', { body: { email: ada.email, password: PASSWORD } });
const exports = () => call(server, 'GET', '/api/serials', { token: mallory.token, headers: { accept: 'text/csv' } });

async function expectLife(): Promise<void> {
  const answers = await Promise.all([validate(), login(), call(server, 'GET', '/readyz')]);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
}

/** Connections that wait for somebody outside: of COPY for its reader, of a transaction for its next statement. */
async function waitingForClients(): Promise<number> {
  const rows = await server.db.query(
    `select 1 from pg_stat_activity where datname = current_database() and application_name like 'tonerow-%'
       and (wait_event_type = 'Client' and state = 'active' or state like 'idle in transaction%')`,
  );
  return rows.length;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(50)) if (await holds()) return;
  throw new Error('it never came to be');
}

describe('connections that do not move', () => {
  it('are cut: a body of ten bytes a second with 408, one that keeps coming is not', async () => {
    const slow = track(trickle(server, IMPORT, mallory.token, 10, 500));
    const slowUpload = track(trickle(server, IMPORT, mallory.token, 4000, 250));
    await slow.cut();
    expect(slow.answer()).toMatch(/^HTTP\/1\.1 408 /);
    expect(slowUpload.closed()).toBe(false);
  });

  it('are cut: an answer that nobody reads, which holds no database connection meanwhile', async () => {
    const silent = track(unread(server, '/api/serials', mallory.token));
    await until(async () => silent.socket.bytesRead > 0);
    await until(async () => (await waitingForClients()) === 0);
    expect(silent.closed()).toBe(false);
    await silent.cut();
  });

  it('are cut: small bodies that take as long as large ones', async () => {
    const slow = track(idle(server));
    slow.socket.write(
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n',
    );
    const timer = setInterval(() => slow.socket.write(' '.repeat(2500)), 500);
    slow.socket.once('close', () => clearInterval(timer));
    await slow.cut();
    expect(slow.answer()).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('simultaneous streams', () => {
  it('of one account are bounded, with 429 and a time to come back', async () => {
    // fast enough to be left alone
    many(8, () => trickle(server, IMPORT, mallory.token, 4000, 250));
    const running = "select 1 from imports where developer_id = $1 and state = 'running'";
    await until(async () => (await server.db.query(running, [mallory.id])).length === 8);
    const refused = await exports();
    expect(refused.status).toBe(429);
    expect([refused.body.code, Number(refused.headers.get('retry-after')) > 0]).toEqual(['busy', true]);
    // lists, and other accounts, are not concerned
    expect((await call(server, 'GET', '/api/serials', { token: mallory.token })).status).toBe(200);
    const own = await call(server, 'GET', '/api/serials', { token: ada.token, headers: { accept: 'text/csv' } });
    expect(own.status).toBe(200);
  });

  it('include listeners', async () => {
    const listeners = many(24, () => listener(server, mallory.token));
    await until(async () => listeners.every((each) => each.answer() !== ''));
    const refused = listeners.filter((each) => each.answer().startsWith('HTTP/1.1 429'));
    expect(refused).toHaveLength(4);
  });
});

it('idle sockets make room for active ones', async () => {
  const sockets = many(90, () => idle(server));
  await until(async () => sockets.filter((each) => each.closed()).length >= 30);
  await expectLife();
});

it('plugins, sign-in and readiness go on under all of it at once', { timeout: 120_000 }, async () => {
  many(10, () => trickle(server, IMPORT, mallory.token, 10, 100));
  many(12, () => unread(server, '/api/serials', mallory.token));
  many(6, () => unread(server, '/api/serials', mallory.token, 'application/x-ndjson'));
  many(10, () => listener(server, mallory.token));
  many(10, () => idle(server));
  const greedy = Array.from({ length: 10 }, exports);
  for (let turn = 0; turn < 20; turn += 1) await expectLife();
  for (const { status } of await Promise.all(greedy)) expect([200, 429]).toContain(status);
  for (const attack of attacks.splice(0)) attack.stop();
  await until(async () => (await exports()).status === 200);
});
