import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { partnerRecount } from '@tonerow/test-support/partner-recount.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-02-28T23:30:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

it('sums what resellers sold over all time, by month and by day, and counts imports without money', async () => {
  const ada = await signUp(server);
  const product = await makeProduct(server, ada.token, { name: 'Chorus', price: 10 });
  const sold = await makeSerials(server, ada.token, product.id, { quantity: 3, new_reseller_name: 'Shop' });
  const own = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await redeem(server, sold[0]?.code as string, 'a@example.com', ada.id);
  clock.set('2026-03-01T00:30:00Z');
  await Promise.all([
    redeem(server, sold[1]?.code as string, 'b@example.com', ada.id),
    redeem(server, sold[2]?.code as string, 'c@example.com', ada.id),
    redeem(server, own[0]?.code as string, 'd@example.com', ada.id),
  ]);
  const form = new FormData();
  const csv =
    'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Reseller\nAAAA-0001,Chorus,N,S,n@example.com,15.50,2026-01-05,Shop\n';
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'sales.csv');
  const sent = await call(server, 'POST', '/api/serials/import-redeemed', { token: ada.token, body: form });
  expect(sent.body).toMatchObject({ count: 1, rejected: 0 });
  const totals = await server.db.query(
    'select redemptions, imports, revenue_cents::int, commission_cents::int from partner_totals',
  );
  expect(totals).toEqual([{ redemptions: 3, imports: 1, revenue_cents: 3000, commission_cents: 600 }]);
  const { sums, ledger } = await partnerRecount(server);
  expect(sums).toEqual(ledger);
  expect(sums).toHaveLength(1 + 3 + 3);
});
