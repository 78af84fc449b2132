import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

/** More customers than are looked up one by one. */
const OTHERS = 10_100;
/** Redemptions of the shop by people with another name. */
const FANS = 120;

let server: SharedServer;
let shop: Person;

const found = async (path: string) => {
  const { status, body, text } = await call(server, 'GET', `/api/reseller/${path}`, { token: shop.token });
  expect(status, text).toBe(200);
  return body;
};

beforeAll(async () => {
  server = await sharedServer();
  const maker = await signUpVerified(server);
  shop = await signUpVerified(server, 'reseller');
  const partnership = await connectPartners(server, maker, shop, 20);
  const { id: productId } = await makeProduct(server, maker.token, { name: 'Delay', price: 30 });
  const [first, second, third] = await makeSerials(server, maker.token, productId, {
    quantity: 3,
    reseller_id: partnership,
  });
  await redeem(server, first?.code as string, 'ghost-of-the-shop@example.com', maker.id);
  await redeem(server, second?.code as string, 'fan@example.com', maker.id);
  await redeem(server, third?.code as string, 'ghost-of-the-shop@example.com', maker.id);
  const { db } = server;
  await db.query(
    `insert into customers (id, developer_id, email, email_key, created_at)
     select gen_random_uuid(), $1, 'ghost-' || i || '@example.com', 'ghost-' || i || '@example.com', now() from generate_series(1, $2::int) i`,
    [maker.id, OTHERS],
  );
  // like one that is there, without what else hangs on a redemption
  const one = `customers c where c.email_key = 'fan@example.com' and c.developer_id = '${maker.id}'`;
  const id = `('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  await db.query(
    `do $$ begin
       set local session_replication_role = replica;
       insert into serials select (jsonb_populate_record(s, jsonb_build_object('id', ${id}, 'code', 'FAN' || n, 'code_key', 'FAN' || n))).*
       from serials s cross join generate_series(1, ${FANS}) n
       where (s.developer_id, s.customer_id) in (select c.developer_id, c.id from ${one});
       insert into redemptions select (jsonb_populate_record(r, jsonb_build_object('id', ${id}, 'serial_id', ${id}))).*
       from redemptions r cross join generate_series(1, ${FANS}) n
       where (r.developer_id, r.customer_id) in (select c.developer_id, c.id from ${one});
     end $$`,
  );
});

it('finds the few who bought from a shop among more customers of its developers than are looked up one by one', async () => {
  const transactions = await found('transactions?search=ghost');
  expect(transactions.rows.map(({ email }: { email: string }) => email)).toEqual([
    'ghost-of-the-shop@example.com',
    'ghost-of-the-shop@example.com',
  ]);
  expect([transactions.total, transactions.total_exact]).toEqual([2, true]);
  const customers = await found('customers?search=ghost');
  expect(customers.rows).toMatchObject([{ email: 'ghost-of-the-shop@example.com', redemptions: 2 }]);
  expect(customers.total).toBe(1);
  const choices = await found('transactions/choices?search=ghost');
  expect(choices.product).toMatchObject([{ label: 'Delay', count: 2 }]);
});

it('finds many by a name that fits most of them, and by one that fits everybody', async () => {
  const fans = await found('transactions?search=fan');
  expect([fans.total, fans.rows.length]).toEqual([FANS + 1, 20]);
  const all = await found('transactions?search=example.com');
  expect([all.total, all.rows.length]).toEqual([FANS + 3, 20]);
  expect((await found('customers?search=example.com')).total).toBe(2);
});
