import { databaseInZone } from '@tonerow/test-support/database-in-zone.ts';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let db: Awaited<ReturnType<typeof databaseInZone>>;
const clock = new TestClock('2026-01-31T23:59:59.998Z');
beforeAll(async () => {
  // twelve hours behind the months that are counted
  db = await databaseInZone('Etc/GMT+12');
  server = await startServer({ overrides: { clock }, db });
});
afterAll(async () => {
  await server.stop();
  await db.end();
});

const months = (developerId: string) =>
  server.db.query('select month::text, redemptions from usage_months where developer_id = $1 order by month', [
    developerId,
  ]);

it('counts a redemption for the UTC month in which it happened, to the millisecond', async () => {
  clock.set(new Date('2026-01-31T23:59:59.998Z'));
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  const [last, first] = await makeSerials(server, ada.token, product.id, { quantity: 2 });
  const usage = async () => (await call(server, 'GET', '/api/me/usage', { token: ada.token })).body;
  await redeem(server, last?.code as string, 'a@example.com', ada.id);
  expect(await usage()).toEqual({ redemptions: 1, month: '2026-01' });
  clock.set(new Date('2026-02-01T00:00:00.000Z'));
  expect(await usage()).toEqual({ redemptions: 0, month: '2026-02' });
  await redeem(server, first?.code as string, 'b@example.com', ada.id);
  expect(await usage()).toEqual({ redemptions: 1, month: '2026-02' });
  expect(await months(ada.id)).toEqual([
    { month: '2026-01-01', redemptions: 1 },
    { month: '2026-02-01', redemptions: 1 },
  ]);
});

it('blocks Starter at 50 redemptions, and opens again with the new month', async () => {
  clock.set(new Date('2026-03-31T23:00:00Z'));
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  const serials = await makeSerials(server, ada.token, product.id, { quantity: 52 });
  await server.db.query("insert into usage_months (developer_id, month, redemptions) values ($1, '2026-03-01', 49)", [
    ada.id,
  ]);
  const next = () => redeem(server, serials.pop()?.code as string, 'a@example.com', ada.id);
  expect((await next()).body.download_token).toBeTruthy();
  expect((await next()).body.code).toBe('quota_reached');
  clock.set(new Date('2026-04-01T00:00:00Z'));
  expect((await next()).body.download_token).toBeTruthy();
});
