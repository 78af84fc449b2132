import { startCuttingProxy } from '@tonerow/test-support/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { patience, times } from '@tonerow/test-support/soak.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

// Connections to the database die: it is restarted, a failover moves it, a network device forgets them. Whatever they were
// doing, each is replaced, and none of its lane is missing afterwards.

const POOL = 3;

let direct: TestDatabase;
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  direct = await createTestDatabase();
  proxy = await startCuttingProxy(direct.url);
  server = await startServer({ db: { ...direct, url: proxy.url }, env: { TONEROW_POOL_SIZE: String(POOL) } });
});
afterAll(async () => {
  await server.stop();
  proxy.close();
  await direct.drop();
});
beforeEach(async () => {
  ada = await signUp(server);
});

const create = () =>
  call(server, 'POST', '/api/products', { token: ada.token, body: { name: crypto.randomUUID(), price: 1 } });
/** Waits until they are gone: until then they take statements. */
const kill = () =>
  direct.query(
    "select pg_terminate_backend(pid, 20000) from pg_stat_activity where datname = current_database() and application_name = 'tonerow-api'",
  );

const deaths: Record<string, () => Promise<void>> = {
  'before it begins, in the pool': async () => {
    await create();
    await kill();
    await create();
  },
  'in its middle, while it waits': async () => {
    const busy = await lockWith(direct, 'lock table products in exclusive mode');
    const waiting = create();
    await busy.untilWaiting(1);
    await kill();
    expect((await waiting).status).toBe(503);
    await busy.release();
  },
  'when it is committed': async () => {
    proxy.loseCommit(/insert into "?products/);
    expect((await create()).status).toBe(503);
  },
};

it.each(Object.entries(deaths))(
  'a connection that a transaction loses is replaced: %s',
  { timeout: patience(60_000) },
  async (_when, death) => {
    for (let died = 0; died < times(POOL + 2); died += 1) await death();
    // all at once, so that none may be missing
    const answers = await Promise.all(Array.from({ length: POOL }, create));
    expect(answers.map(({ status, text }) => (status === 201 ? status : text))).toEqual(Array(POOL).fill(201));
  },
);

it('a connection to a machine that only reads since a failover is replaced, and each call answers 503', async () => {
  const [database] = await direct.query<{ name: string }>('select current_database() as name');
  const name = database?.name;
  const answers = async () => {
    const statuses: number[] = [];
    for (let called = 0; called < 2 * POOL; called += 1) statuses.push((await create()).status);
    return statuses;
  };
  try {
    await direct.query(`alter database "${name}" set default_transaction_read_only = on`);
    await kill();
    // the first of them may meet connections that were killed in the pool, the others open new ones
    expect(await answers()).toEqual(Array(2 * POOL).fill(503));
  } finally {
    await direct.query(`begin read write; alter database "${name}" reset default_transaction_read_only; commit`);
  }
  expect(await answers()).toEqual(Array(2 * POOL).fill(201));
});
