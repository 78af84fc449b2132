import { beside } from '@tonerow/test-support/beside.ts';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { tables } from '../tables.ts';
import { recordAll } from './ledger.ts';
import { LedgerPlaces } from './ledger-places.ts';

let server: TestServer;
// already tomorrow in Tokyo
const clock = new TestClock('2026-03-10T20:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

it('sums a redemption that arrives during a change of time zone by its day in the new one', async () => {
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token, { price: 10 });
  const [serial] = await makeSerials(server, ada.token, product.id);
  // the redemption has written the ledger and its sums when it comes to note that the product is low on serials
  const busy = await lockWith(server.db, 'select 1 from products where id = $1 for no key update', [product.id]);
  const redeeming = redeem(server, serial?.code as string, 'a@example.com', ada.id);
  await busy.untilWaiting(1);
  const moving = call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { time_zone: 'Asia/Tokyo' } });
  await busy.untilWaiting(2);
  await busy.release();
  expect([(await redeeming).status, (await moving).status]).toEqual([200, 200]);
  const days = await server.db.query('select day::text, redemptions from ledger_days where developer_id = $1', [
    ada.id,
  ]);
  expect(days).toEqual([{ day: '2026-03-11', redemptions: 1 }]);
});

// an import, unlike a redemption, does not lock its account for the price of the moment
it('sums an import that arrives during a change of time zone by its day in the new one', async () => {
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token, { price: 10 });
  const [sold] = await makeSerials(server, ada.token, product.id);
  // another product, so that no row of the sums is written by both
  const other = await makeProduct(server, ada.token, { name: 'Other', price: 10 });
  const [brought] = await makeSerials(server, ada.token, other.id);
  await redeem(server, sold?.code as string, 'a@example.com', ada.id);
  const importing = await lockWith(server.db, 'select 1');
  await recordAll(
    importing.sql,
    ada.id,
    sql`(select (c).* from (
       select jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'serial_id', ${brought?.id}::uuid,
         'product_id', ${other.id}::uuid, 'country', 'JP')) as c
       from redemptions r where r.developer_id = ${ada.id}) copied)`,
  );
  const moving = call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { time_zone: 'Asia/Tokyo' } });
  await importing.untilWaiting(1);
  await importing.release('commit');
  expect((await moving).status).toBe(200);
  const days = await server.db.query('select day::text, redemptions from ledger_days where developer_id = $1', [
    ada.id,
  ]);
  const each = { day: '2026-03-11', redemptions: 1 };
  expect(days).toEqual([each, each]);
});

it('counts by country what accounts sold before there were such sums, once, and leaves those who sold nothing', async () => {
  const [ada, ben] = [await signUp(server), await signUp(server)];
  const product = await makeProduct(server, ada.token, { price: 10 });
  const [serial] = await makeSerials(server, ada.token, product.id);
  await redeem(server, serial?.code as string, 'a@example.com', ada.id);
  const places = () =>
    server.db.query('select day::text, redemptions, revenue_cents::int from ledger_places where developer_id = $1', [
      ada.id,
    ]);
  const counted = () =>
    server.db.query(
      'select developer_id, complete_from::text from ledger_place_counts where developer_id = any($1) order by 1',
      [[ada.id, ben.id]],
    );
  const forget = () => server.db.query('delete from ledger_places where developer_id = $1', [ada.id]);
  const count = () => beside({ server, clock }, ({ db }) => new LedgerPlaces({ db: tables.of(db) }).count());
  const before = await places();
  expect(before).toEqual([{ day: '2026-03-10', redemptions: 1, revenue_cents: 1000 }]);
  await forget();
  await count();
  expect(await places()).toEqual(before);
  expect(await counted()).toEqual([{ developer_id: ada.id, complete_from: '0001-01-01' }]);
  await forget();
  await count();
  expect(await places()).toEqual([]);
});
