import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { pdfText } from '@tonerow/test-support/pdf-text.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { verifyStatement } from '../../../../../sdk/src/signatures/verify-statement.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00.007Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, close, payoutsOf, get, post, authed, beside } = payoutScene(() => ({ server, clock }));

const SHOP = '🎹🎛️ Ωμέγα & Søn';
const PLUGIN = '=HYPERLINK("http://evil.example","Open")';

/** A statement with all that can be in one: two rates, a giveaway, a refund of the month before, a payment taken back. */
async function statement() {
  clock.set('2026-01-10T12:00:00.007Z');
  const scene = await partners({ rate: 12.5, price: 0.04 });
  const { ada, partnershipId, product } = scene;
  await server.db.query('update products set name = $2 where id = $1', [product.id, PLUGIN]);
  await server.db.query('update partnerships set name = $2 where id = $1', [partnershipId, SHOP]);
  await server.db.query(
    "update users set company_name = $2, tax_id = 'EL 123456789', business_address = E'1 Main St\\nAthens' where id = $1",
    [scene.rae.id, SHOP],
  );
  for (const [person, email] of [
    [ada, 'ada@example.com'],
    [scene.rae, 'rae@example.com'],
  ] as const)
    await server.db.query('update users set email = $2 where id = $1', [person.id, email]);
  const [first] = await sell(ada, product, 1);
  clock.set('2026-02-01T00:00:00Z');
  await close();
  await sell(ada, product, 1, { batch_tag: '+tag' });
  await sell(ada, product, 1, { promo_price: 0 });
  await server.db.query('update partnerships set commission_bps = 3333 where id = $1', [partnershipId]);
  await server.db.query('update products set price_cents = 123456 where id = $1', [product.id]);
  clock.set('2026-02-28T23:59:59.999Z');
  await sell(ada, product, 1);
  await authed(ada, 'POST', `/api/serials/${first}/refund`, { amount: 0.01, reason: '@SUM(A1)' });
  clock.set('2026-03-01T00:00:00Z');
  await close();
  const [february] = await payoutsOf(scene.rae);
  const paid = { amount: 100, paid_on: '2026-03-01', method: 'Wire', reference: '=1+1' };
  expect((await post(ada, `/${february.id}/mark-paid`, paid)).status).toBe(200);
  expect((await post(ada, `/${february.id}/payments/1/reverse`, { reason: 'Typed wrong' })).status).toBe(200);
  return { ...scene, february };
}

/** Removes what is different in each run. */
const normal = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/[0-9a-f]{64}/g, 'SHA256')
    .replaceAll(/,[0-9A-Z]{4},(?=-?\d)/g, ',CODE,');

const pdfOf = async (person: { token: string }, id: string) =>
  Buffer.from(
    await (
      await fetch(`${server.url}/api/reseller/payouts/${id}/statement.pdf`, {
        headers: { authorization: `Bearer ${person.token}` },
      })
    ).arrayBuffer(),
  );

it('the papers of a statement, line by line', async () => {
  const { rae, february } = await statement();
  const csv = (await get(rae, `/${february.id}/statement.csv`)).text;
  expect(normal(csv).split('\r\n')).toMatchInlineSnapshot(`
    [
      "Statement,Month,Redeemed At,Kind,ID,Refers To,Product,Batch Tag,Code,Price,Rate,Commission,Reason,Redemptions,Adjustments,Adjusted Price,Adjusted Commission,Brought Forward,Due,Developer ID,Reseller ID,Previous Digest,Digest",
      "2026-0002,2026-02,2026-02-01T00:00:00.000Z,sale,UUID,,"'=HYPERLINK(""http://evil.example"",""Open"")",'+tag,CODE,0.04,12.5,0.01,,,,,,,,,,,",
      "2026-0002,2026-02,2026-02-01T00:00:00.000Z,sale,UUID,,"'=HYPERLINK(""http://evil.example"",""Open"")",,CODE,0.00,12.5,0.00,,,,,,,,,,,",
      "2026-0002,2026-02,2026-02-28T23:59:59.999Z,sale,UUID,,"'=HYPERLINK(""http://evil.example"",""Open"")",,CODE,1234.56,33.33,411.48,,,,,,,,,,,",
      "2026-0002,2026-02,2026-02-28T23:59:59.999Z,refund,UUID,UUID,"'=HYPERLINK(""http://evil.example"",""Open"")",,CODE,-0.01,12.5,-0.01,'@SUM(A1),,,,,,,,,,",
      "2026-0002,2026-02,2026-03-01T00:00:00.000Z,total,UUID,,,,,1234.60,,411.49,,3,1,-0.01,-0.01,0.00,823.11,UUID,UUID,SHA256,SHA256",
      "",
    ]
  `);
  expect(await verifyStatement(csv)).toMatchObject({ valid: true, statement: { number: '2026-0002', due: 823.11 } });
  const text = pdfText(await pdfOf(rae, february.id));
  expect(normal(text.join('\n')).split('\n')).toMatchInlineSnapshot(`
    [
      "Statement 2026-0002",
      "February 2026 (UTC) · closed on 2026-03-01",
      "Developer",
      "Row Audio",
      "ada@example.com",
      "Reseller",
      ":musical_keyboard::control_knobs: ",
      "Ωμέγα & Søn",
      "1 Main St",
      "Athens",
      "rae@example.com",
      "Tax id: EL 123456789",
      "Figures",
      "Total redemptions",
      "3",
      "Average price",
      "$411.53",
      "Total revenue",
      "$1,234.60",
      "Commission rate",
      "33.33%",
      "Reseller earned",
      "$411.49",
      "Developer owed",
      "$823.11",
      "Refunds and adjustments",
      "$0.00",
      "Brought forward",
      "$0.00",
      "Due",
      "$823.11",
      "Paid",
      "$0.00",
      "Carried to a later statement",
      "$0.00",
      "Outstanding",
      "$823.11",
      "Status",
      "Pending (pending)",
      "Commission by rate",
      "12.5% on 2 redemptions, $0.04",
      "$0.01",
      "33.33% on 1 redemption, $1,234.56",
      "$411.48",
      "Payments",
      "1. 2026-03-01 · Wire · =1+1",
      "$100.00",
      "2. 2026-03-01 · takes back payment 1 · Typed wrong",
      "-$100.00",
      "Seal",
      "SHA-256 over every figure and row of this statement and the digest of the statement ",
      "before. "tonerow payouts verify" recounts it from the CSV. Sales count when the serial is ",
      "redeemed; months are UTC.",
      "SHA256",
      "after SHA256",
    ]
  `);
});

it('one bit that somebody changes in the database is found by the file’s reader and by the nightly audit', async () => {
  const { ada, rae, february } = await statement();
  clock.advance(40 * DAY);
  const audit = () => beside((deps) => deps.payoutAudit.run());
  const problems = async () => {
    const verdict = await verifyStatement((await get(rae, `/${february.id}/statement.csv`)).text);
    return verdict.valid ? [] : verdict.problems;
  };
  expect([await audit(), await problems()]).toEqual([0, []]);
  const flips: [table: string, column: string, where: string][] = [
    ['redemptions', 'final_price_cents', `redeemed_at = '2026-02-28T23:59:59.999Z'`],
    ['redemptions', 'commission_cents', `redeemed_at = '2026-02-28T23:59:59.999Z'`],
    ['ledger_adjustments', 'revenue_cents', `month = '2026-02-01'`],
    ['payouts', 'total_redemptions', `id = '${february.id}'`],
  ];
  for (const [table, column, where] of flips) {
    const flip = async () => {
      await server.db.query(`alter table ${table} disable trigger user`);
      const changed = await server.db.query(
        `update ${table} set ${column} = ${column} # 4 where developer_id = $1 and ${where} returning 1`,
        [ada.id],
      );
      await server.db.query(`alter table ${table} enable trigger user`);
      expect(changed, `${table}.${column}`).toHaveLength(1);
    };
    await flip();
    expect([await audit(), (await problems()).length > 0], `${table}.${column}`).toEqual([1, true]);
    await flip();
  }
  expect([await audit(), await problems()]).toEqual([0, []]);
});
