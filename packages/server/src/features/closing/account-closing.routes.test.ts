import { monthScene } from '@tonerow/test-support/billing-months.ts';
import { makeProduct, PASSWORD, type Person } from '@tonerow/test-support/http.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const at = () => ({ server, clock });
const { partners, sell, payoutsOf, authed, close } = payoutScene(at);
const { developer, use } = monthScene(at);

const before = async (person: Person) => (await authed(person, 'GET', '/api/account/deletion')).body;
const remove = (person: Person, body: object = {}) =>
  authed(person, 'DELETE', '/api/account/delete', { password: PASSWORD, ...body });
const openOf = (person: Person) =>
  server.db.query('select 1 from usage_months where developer_id = $1 and closed_at is null', [person.id]);
const billed = (person: Person) =>
  server.db.query<{ month: string; total: number; state: string; email: string }>(
    `select to_char(month, 'YYYY-MM') as month, total_cents::int as total, state, party ->> 'email' as email
     from billing_statements where developer_id = $1 order by month`,
    [person.id],
  );

it('a deletion in the middle of a month is announced, refused while resellers owe for it, and then closes and bills it once', async () => {
  clock.set('2026-03-10T12:00:00Z');
  const { ada, rae, product } = await partners({ rate: 20, price: 10 });
  await sell(ada, product, 1);
  // those of one statement, not one each
  const second = await makeProduct(server, ada.token, { name: 'Second', price: 0 });
  await sell(ada, second, 1);
  expect(await before(ada)).toEqual({
    unpaid_statements: 0,
    open_statements: 1,
    months: [{ month: '2026-03', total: 10 }],
    open_invoices: 0,
    open_total: 0,
    total: 10,
    charges_card: false,
    products: 2,
    unlocked_products: 0,
  });
  expect(await before(rae)).toMatchObject({ unpaid_statements: 0, open_statements: 1, months: [], total: 0 });
  for (const person of [ada, rae]) {
    const refused = await remove(person);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'unpaid_statements',
      '1 payout statement is still to come, of sales in a month that is not closed yet.',
    ]);
  }
  expect(await openOf(ada)).toHaveLength(1);
  expect(await billed(ada)).toEqual([]);
  expect((await remove(ada, { unpaid: true })).status).toBe(200);
  expect(await openOf(ada)).toEqual([]);
  expect(await billed(ada)).toEqual([{ month: '2026-03', total: 1000, state: 'local', email: ada.email }]);
  expect(await payoutsOf(rae)).toMatchObject([{ month: '2026-03', due: 8, developer_name: 'Row Audio' }]);
  // neither the plan nor what is brought forward opens another month
  clock.set('2026-08-01T00:00:00Z');
  await close();
  expect(await billed(ada)).toHaveLength(1);
  expect(await payoutsOf(rae)).toHaveLength(1);
});

it('a deletion closes months that are late as well, each once, also when the close runs at that moment', async () => {
  clock.set('2026-09-15T00:00:00Z');
  const ada = await developer('pro', 250);
  await use(ada, 2);
  clock.set('2026-11-15T00:00:00Z');
  expect((await before(ada)).months).toEqual([
    { month: '2026-09', total: 10.08 },
    { month: '2026-10', total: 10 },
    { month: '2026-11', total: 10 },
  ]);
  const [, answer] = await Promise.all([close(), remove(ada), close()]);
  expect(answer.status, answer.text).toBe(200);
  expect((await billed(ada)).map(({ month, total }) => [month, total])).toEqual([
    ['2026-09', 1008],
    ['2026-10', 1000],
    ['2026-11', 1000],
  ]);
  expect(await openOf(ada)).toEqual([]);
});

it('a deletion counts the invoices that are still to be collected, and none of those that are paid', async () => {
  clock.set('2027-01-15T00:00:00Z');
  const ada = await developer('elite');
  clock.set('2027-03-15T00:00:00Z');
  await close();
  const change = (state: string, month: string) =>
    server.db.query('update billing_statements set state = $2 where developer_id = $1 and month = $3', [
      ada.id,
      state,
      month,
    ]);
  await change('paid', '2027-01-01');
  await change('failed', '2027-02-01');
  expect(await before(ada)).toMatchObject({ open_invoices: 1, open_total: 20, total: 40 });
});
