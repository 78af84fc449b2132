import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { sharedServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Principal } from '#platform/access/access.ts';
import { DAY, HOUR, MINUTE, TestClock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { openDatabase } from '#platform/db/open.ts';
import { createLogger } from '#platform/log.ts';
import { systemRandom } from '#platform/random.ts';
import { entities } from '../../entities.ts';
import { Domains } from './domains.service.ts';
import { tables } from './tables.ts';

const TARGET = 'domains.tonerow.example';
// no server is on it: its own job would look at the same domains
let own: TestDatabase;
let db: Database;
const clock = new TestClock('2027-01-01T00:00:00Z');
const records = new Map<string, string>();
const cname = vi.fn(async (host: string) => {
  const alias = records.get(host);
  if (alias === '!') throw new Error('timeout');
  return alias ? [alias] : [];
});
let domains: Domains;
beforeAll(async () => {
  own = await createTestDatabase();
  const sizes = { api: 4, licensing: 1, bulk: 1 };
  const log = createLogger('silent');
  db = openDatabase({ url: own.url, sizes, log, entities, migrationsFolder: 'migrations' }).db;
  const publicUrl = 'https://my.tonerow.example';
  domains = new Domains({
    db: tables.of(db),
    clock,
    random: systemRandom(clock),
    dns: { cname },
    publicUrl,
    domainTarget: TARGET,
  });
});
afterAll(async () => {
  await db.close();
  await own.drop();
});

let count = 0;
const as = (person: { id: string }) => ({ accountId: person.id }) as Principal;
async function developer(): Promise<{ id: string }> {
  const [made] = await own.query<{ id: string }>(
    `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
     select id, 'developer', id || '@example.com', id || '@example.com', '', 'Ada', 'Row', now()
     from (select gen_random_uuid() as id) made returning id`,
  );
  return made as { id: string };
}
const fresh = async () => {
  // domains that the other tests left would be due, too
  await own.query('delete from custom_domains');
  const [ada, host] = [await developer(), `app${++count}.row.example`];
  return { ada, host, known: () => domains.status(as(ada), host) };
};
const check = async (ms: number) => {
  clock.advance(ms);
  cname.mockClear();
  await domains.checkAll();
  return cname.mock.calls.length;
};

it('verifies what points here by now, for two weeks', async () => {
  const { ada, host, known } = await fresh();
  await domains.set(as(ada), host);
  expect(await check(10 * MINUTE)).toBe(1);
  expect(await known()).toEqual({ verified: false, registered: true });
  records.set(host, TARGET);
  expect(await check(13 * DAY)).toBe(1);
  expect(await known()).toEqual({ verified: true, registered: true });
  expect(await domains.developerOf(host)).toBe(ada.id);

  const late = await fresh();
  await domains.set(as(late.ada), late.host);
  expect(await check(14 * DAY)).toBe(0);
});

it('rechecks a verified host once an hour', async () => {
  const { ada, host } = await fresh();
  records.set(host, TARGET);
  await domains.set(as(ada), host);
  expect(await check(59 * MINUTE)).toBe(0);
  expect(await check(MINUTE)).toBe(1);
  expect(await check(MINUTE)).toBe(0);
});

it('takes a page away after a day elsewhere, waits for its return, and not before a second look', async () => {
  const { ada, host, known } = await fresh();
  records.set(host, TARGET);
  await domains.set(as(ada), host);
  records.set(host, 'elsewhere.example');
  for (let hour = 1; hour < 24; hour += 1) await check(HOUR);
  expect((await known()).verified).toBe(true);
  await check(HOUR);
  expect(await known()).toEqual({ verified: false, registered: true });
  expect(await domains.developerOf(host)).toBeNull();
  records.set(host, TARGET);
  await check(13 * DAY);
  expect((await known()).verified).toBe(true);

  // a server that did not run for a week has not seen a day elsewhere
  records.set(host, 'elsewhere.example');
  await check(7 * DAY);
  expect((await known()).verified).toBe(true);
  await check(HOUR);
  expect((await known()).verified).toBe(false);
});

it('tolerates a slip: pointing here in between restarts the day', async () => {
  const { ada, host, known } = await fresh();
  records.set(host, TARGET);
  await domains.set(as(ada), host);
  records.delete(host);
  for (let hour = 1; hour <= 20; hour += 1) await check(HOUR);
  records.set(host, TARGET);
  await check(HOUR);
  records.delete(host);
  for (let hour = 1; hour <= 20; hour += 1) await check(HOUR);
  expect((await known()).verified).toBe(true);
});

it('takes nothing away while the DNS does not answer', async () => {
  const { ada, host, known } = await fresh();
  records.set(host, TARGET);
  await domains.set(as(ada), host);
  records.set(host, '!');
  for (let day = 1; day <= 30; day += 1) expect(await check(DAY)).toBe(1);
  expect((await known()).verified).toBe(true);
});

it('gives a host that two claim to one of them', async () => {
  const { ada, host, known } = await fresh();
  const ben = await developer();
  await domains.set(as(ada), host);
  await domains.set(as(ben), host);
  records.set(host, TARGET);
  await check(10 * MINUTE);
  const both = [await known(), await domains.status(as(ben), host)];
  expect(both.filter(({ verified: yes }) => yes)).toHaveLength(1);
  await check(10 * MINUTE);
  expect([await known(), await domains.status(as(ben), host)]).toEqual(both);
});

it('is queued every ten minutes', async () => {
  const server = await sharedServer();
  const [row] = await server.db.query("select cron from pgboss.schedule where name = 'check-domains'");
  expect(row).toEqual({ cron: '*/10 * * * *' });
});
