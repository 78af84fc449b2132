import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { pdfText } from '@tonerow/test-support/pdf-text.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { verifyStatement } from '../../../../../sdk/src/signatures/verify-statement.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00.007Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, close, payoutsOf, get, authed } = payoutScene(() => ({ server, clock }));

/** Two closed months: sales at two rates, a refund of the first month in the second. */
async function statements() {
  clock.set('2026-01-10T12:00:00.007Z');
  const scene = await partners({ rate: 33.33, price: 9.99 });
  await server.db.query('update products set name = $2 where id = $1', [
    scene.product.id,
    `=HYPERLINK("x"), "two"\nlines ${scene.product.id}`,
  ]);
  const [first] = await sell(scene.ada, scene.product, 3, { batch_tag: '@spring' });
  clock.set('2026-02-03T00:00:00.120Z');
  await sell(scene.ada, scene.product, 1);
  const refund = await authed(scene.ada, 'POST', `/api/serials/${first}/refund`, { reason: '-5 stars, "broken"' });
  expect(refund.status, refund.text).toBeLessThan(300);
  clock.set('2026-03-01T00:00:00Z');
  await close();
  const [february, january] = await payoutsOf(scene.rae);
  return { ...scene, january, february };
}

describe('the CSV of a statement', () => {
  it('has every row and a closing line, is the same for both sides, and can be recounted from itself', async () => {
    const { ada, rae, january, february } = await statements();
    const [one, two] = await Promise.all(
      [january, february].map(async ({ id }) => (await get(rae, `/${id}/statement.csv`)).text),
    );
    expect((await get(ada, `/${january.id}/statement.csv`)).text).toBe(one);
    expect(one?.split('\r\n')).toHaveLength(1 + 3 + 1 + 1);
    expect(one).toContain('"\'=HYPERLINK(""x""), ""two""\n');
    expect(one).toContain(",'@spring,");
    expect(two).toContain(',refund,');
    expect(two).toContain(',-9.99,33.33,-3.33,"\'-5 stars, ""broken"""');
    expect(one).not.toContain('example.com');
    const first = await verifyStatement(one as string);
    expect(first).toMatchObject({
      valid: true,
      statement: { number: january.number, month: '2026-01', redemptions: 3, digest: january.digest },
    });
    expect(await verifyStatement(two as string)).toMatchObject({
      valid: true,
      statement: { adjustments: 1, due: february.due, previousDigest: january.digest },
    });
  });

  it('stays the same when the product is renamed, the reseller ends and the customer is erased', async () => {
    const { ada, rae, january, product, partnershipId } = await statements();
    const before = (await get(rae, `/${january.id}/statement.csv`)).text;
    await server.db.query("update products set name = 'Renamed ' || id::text where id = $1", [product.id]);
    await server.db.query("update partnerships set status = 'ended', name = 'Gone', name_key = 'gone' where id = $1", [
      partnershipId,
    ]);
    await server.db.query(
      "update customers set email = '', first_name = null, erased_at = now(), email_key = 'erased:' || id::text where developer_id = $1",
      [ada.id],
    );
    expect((await get(rae, `/${january.id}/statement.csv`)).text).toBe(before);
  });

  it('shows each change that somebody makes to it', async () => {
    const { rae, february } = await statements();
    const csv = (await get(rae, `/${february.id}/statement.csv`)).text;
    const problems = async (text: string) => {
      const verdict = await verifyStatement(text);
      return verdict.valid ? [] : verdict.problems;
    };
    expect(await problems(csv)).toEqual([]);
    expect(await problems(csv.replace(',9.99,', ',9.98,'))).toEqual([
      'Revenue: the rows add up to 9.98, the closing line has 9.99.',
      'The digest is not that of these rows and figures.',
    ]);
    // the rate of a sale, and that of the refund of a sale that is in another file
    for (const [own, other] of [
      [',33.33,3.33,', ',33.34,3.33,'],
      [',33.33,-3.33,', ',33.34,-3.33,'],
    ] as const) {
      expect(csv).toContain(own);
      expect(await problems(csv.replace(own, other))).toEqual(['The digest is not that of these rows and figures.']);
    }
    expect(await problems(csv.replace('2026-02-03T', '2026-02-04T'))).toEqual([
      'The digest is not that of these rows and figures.',
    ]);
    expect(await problems(csv.replace(february.previous_digest, 'f'.repeat(64)))).toHaveLength(1);
    const lines = csv.split('\r\n');
    expect(await problems([lines[0], ...lines.slice(2)].join('\r\n'))).not.toEqual([]);
    expect(await problems(lines.slice(0, -2).join('\r\n'))).toEqual([
      'The closing line is missing: the file is not complete.',
    ]);
    expect(await problems('a,b\n1,2\n')).toEqual(['This is not a statement: the column Statement is missing.']);
    expect(await problems('')).toEqual(['This is not a statement: the column Statement is missing.']);
  });
});

describe('the PDF of a statement', () => {
  const bytes = async (person: { token: string }, path: string) =>
    Buffer.from(
      await (
        await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${person.token}` } })
      ).arrayBuffer(),
    );

  it('is the same for both sides and whenever it is made, whatever the parties are called', async () => {
    const { ada, rae, february, january } = await statements();
    const path = `/${february.id}/statement.pdf`;
    const one = await bytes(rae, `/api/reseller/payouts${path}`);
    expect(one.subarray(0, 5).toString()).toBe('%PDF-');
    clock.advance(1000);
    expect((await bytes(ada, `/api/reseller/developer/payouts${path}`)).equals(one)).toBe(true);
    expect((await bytes(ada, `/api/reseller/developer/payouts/${january.id}/statement.pdf`)).equals(one)).toBe(false);
    await server.db.query('alter table payouts disable trigger user');
    await server.db.query(
      "update payouts set parties = jsonb_set(parties, '{reseller,name}', to_jsonb(repeat('😀', 200) || ' Ørsted Ωμέγα')) where id = $1",
      [february.id],
    );
    await server.db.query('alter table payouts enable trigger user');
    expect((await bytes(rae, `/api/reseller/payouts${path}`)).subarray(0, 5).toString()).toBe('%PDF-');
    await server.db.query('alter table payouts disable trigger user');
    await server.db.query(
      "update payouts set parties = jsonb_set(parties, '{reseller,name}', to_jsonb('日本音楽 Ωμέγα 🎸'::text)) where id = $1",
      [february.id],
    );
    await server.db.query('alter table payouts enable trigger user');
    expect(pdfText(await bytes(rae, `/api/reseller/payouts${path}`)).join('\n')).toContain('RiBenYinLe Ωμέγα :guitar:');
  });

  it('is in the archive of the year, beside the CSV of each statement', async () => {
    const { ada, rae, january, february } = await statements();
    const zip = await bytes(ada, '/api/reseller/developer/payouts/archive?year=2026');
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    for (const { number } of [january, february])
      for (const ending of ['csv', 'pdf']) expect(zip.includes(`statement-${number}.${ending}`)).toBe(true);
    const shop = await bytes(rae, '/api/reseller/payouts/archive?year=2026');
    expect(shop.includes(`${ada.id}/statement-${january.number}.csv`)).toBe(true);
    expect((await bytes(rae, '/api/reseller/payouts/archive?year=2025')).subarray(0, 2).toString()).toBe('PK');
    expect((await get(rae, '/archive')).status).toBe(400);
  });
});
