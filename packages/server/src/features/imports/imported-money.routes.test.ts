import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
const clock = new TestClock('2026-03-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
});
afterAll(() => server.stop());

async function send(rows: string) {
  const form = new FormData();
  const csv = `Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Reseller\n${rows}\n`;
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'sales.csv');
  return call(server, 'POST', '/api/serials/import-redeemed', { token: ada.token, body: form });
}

it('keeps the price of a sale made elsewhere, and neither pays a commission on it nor bills it', async () => {
  const sent = await send('AAAA-0001,Chorus,Nina,Simone,nina@example.com,15.50,2026-01-05,Plugin Harbour');
  expect(sent.body).toMatchObject({ count: 1, rejected: 0 });
  const rows = await server.db.query(
    `select source, final_price_cents, commission_bps, commission_cents, partnership_id is not null as by_reseller
     from redemptions where developer_id = $1`,
    [ada.id],
  );
  expect(rows).toEqual([
    { source: 'import', final_price_cents: 1550, commission_bps: 0, commission_cents: 0, by_reseller: true },
  ]);
  expect(await server.db.query('select 1 from usage_months where developer_id = $1', [ada.id])).toEqual([]);
  const sums = await server.db.query(
    'select revenue_cents::int, commission_cents::int from ledger_days where developer_id = $1',
    [ada.id],
  );
  expect(sums).toEqual([{ revenue_cents: 1550, commission_cents: 0 }]);
});

it('takes a purchase of today, and none of tomorrow', async () => {
  const sent = await send(
    'AAAA-0002,Chorus,Nina,Simone,nina@example.com,1,2026-03-10,\nAAAA-0003,Chorus,Nina,Simone,nina@example.com,1,2026-03-11,',
  );
  expect(sent.body).toMatchObject({ count: 1, rejected: 1 });
  expect(sent.body.warnings).toEqual([{ line: 3, reason: 'Purchase Date is in the future.' }]);
});
