import { startCuttingProxy } from '@tonerow/test-support/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import type { Email } from '../../packages/server/src/platform/email/mailer.ts';

// The emails about new statements: whatever dies on their way, each side gets one.

const clock = new TestClock('2026-01-10T12:00:00Z');
let direct: TestDatabase;
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;
let server: TestServer;
beforeAll(async () => {
  direct = await createTestDatabase();
  proxy = await startCuttingProxy(direct.url);
  // nobody here works on jobs, until another process does
  server = await startServer({ db: direct, overrides: { clock }, env: { TONEROW_ROLE: 'api' } });
});
afterAll(async () => {
  await server.stop();
  proxy.close();
  await direct.drop();
});

const { partners, sell, close } = payoutScene(() => ({ server, clock }));
const emails = (emails: string[]) =>
  direct.query<{ recipient: string; sent_at: Date | null; attempts: number; error: string | null }>(
    `select recipient, sent_at, attempts, error from mails
     where recipient = any($1) and (subject like 'Your statement%' or subject like 'Reseller statements%') order by recipient`,
    [emails],
  );
/** As if the pause between two attempts were over. */
const hurry = () => direct.query("update pgboss.job set start_after = now() where state in ('created', 'retry')");

it('come once each after the process that closed died, the next one lost a commit, and the mail server was down', async () => {
  const { ada, rae, product } = await partners({ rate: 20, price: 10 });
  await sell(ada, product, 1);
  clock.set('2026-02-01T00:00:00Z');
  // its process ends with the statement in the database and the email not even queued
  expect(await close()).toMatchObject({ failed: 0 });
  const people = [ada.email, rae.email].sort();
  expect(await direct.query('select 1 from payouts where developer_id = $1', [ada.id])).toHaveLength(1);
  expect(await emails(people)).toEqual([]);

  let isUp = false;
  const handedOver: { to: string; id: string }[] = [];
  const mailer = {
    async send({ to }: Email, id: string) {
      if (!isUp) throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:25'), { code: 'ECONNREFUSED' });
      handedOver.push({ to, id });
    },
    close: () => undefined,
  };
  const work = () => startServer({ db: { ...direct, url: proxy.url }, overrides: { clock, mailer } });
  proxy.loseCommit(/update "?payouts"? set "?announced_at/);
  let worker = await work();
  const until = (done: (rows: Awaited<ReturnType<typeof emails>>) => boolean) =>
    expect
      .poll(
        async () => {
          await hurry();
          return done(await emails(people));
        },
        { timeout: 45_000, interval: 300 },
      )
      .toBe(true);
  await until((rows) => rows.length > 0 && rows.every(({ attempts }) => attempts > 1));
  expect(proxy.cuts()).toBe(1);
  // nothing is lost while the mail server is away, and its log has the reason
  const waiting = await emails(people);
  expect(waiting.map(({ recipient, sent_at }) => [recipient, sent_at])).toEqual(people.map((email) => [email, null]));
  expect(waiting[0]?.error).toContain('ECONNREFUSED');
  await worker.stop();

  isUp = true;
  worker = await work();
  await until((rows) => rows.every(({ sent_at }) => sent_at !== null));
  await close();
  await hurry();
  await worker.stop();
  const own = handedOver.filter(({ to }) => people.includes(to));
  expect(own.map(({ to }) => to).sort()).toEqual(expect.arrayContaining(people));
  const ids = await direct.query<{ id: string }>(
    `select id from mails where recipient = any($1) and (subject like 'Your statement%' or subject like 'Reseller statements%')`,
    [people],
  );
  expect(
    own
      .filter(({ id }) => ids.some((each) => each.id === id))
      .map(({ to }) => to)
      .sort(),
  ).toEqual(people);
}, 180_000);
