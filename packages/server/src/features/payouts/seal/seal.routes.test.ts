import { afterAll, beforeAll, expect, it } from 'vitest';
import { payoutScene } from '../../../../../../test/support/payouts.ts';
import { startServer, type TestServer } from '../../../../../../test/support/server.ts';
import { TestClock } from '../../../platform/clock.ts';
import { digestOf, rowsDigestOf, type SealedFigures, type SealedRow } from './seal.ts';

interface Stored extends SealedFigures {
  digest: string;
}

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00.007Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, refund, close, payoutsOf } = payoutScene(() => ({ server, clock }));

/** Read on its own, not by what made the statement. */
async function recount(id: string) {
  const [row] = await server.db.query<Stored>(
    `select digest, partnership_id as "partnershipId", month::text, number, developer_id as "developerId",
       total_redemptions as "totalRedemptions", total_revenue_cents::int as "totalRevenueCents",
       reseller_earned_cents::int as "resellerEarnedCents", adjustments,
       adjustment_revenue_cents::int as "adjustmentRevenueCents", adjustment_commission_cents::int as "adjustmentCommissionCents",
       brought_forward_cents::int as "broughtForwardCents", due_cents::int as "dueCents", previous_digest as "previousDigest"
     from payouts where id = $1`,
    [id],
  );
  const { digest: stored, month, ...rest } = row as Stored;
  const sealed = await server.db.query<SealedRow>(
    `select id, redeemed_at as at, 'sale' as kind, null as "refersTo", final_price_cents as "revenueCents", commission_cents as "commissionCents"
     from redemptions
     where partnership_id = $1 and to_char(redeemed_at at time zone 'UTC', 'YYYY-MM-01') = $2 and source <> 'import'
     union all select id, created_at, kind, redemption_id, revenue_cents, commission_cents from ledger_adjustments
     where partnership_id = $1 and month::text = $2`,
    [rest.partnershipId, month],
  );
  return { stored, sealed, figures: { ...rest, month: month.slice(0, 7) } };
}

it('a statement’s digest in SQL is the digest that anyone counts from its figures and rows', async () => {
  const { ada, rae, product } = await partners({ rate: 33.33, price: 9.99 });
  const [first] = await sell(ada, product, 3);
  clock.set('2026-02-03T00:00:00.120Z');
  await sell(ada, product, 2);
  await refund(ada, first as string);
  clock.set('2026-04-01T00:00:00Z');
  await close();
  const rows = await payoutsOf(rae);
  expect(rows).toHaveLength(2);
  for (const { id } of rows) {
    const { stored, sealed, figures } = await recount(id);
    expect(sealed).toHaveLength(3);
    expect(digestOf(figures, rowsDigestOf(sealed))).toBe(stored);
    // one cent, one row, one predecessor: each is seen
    const [row] = sealed;
    expect(
      digestOf(figures, rowsDigestOf([{ ...row, commissionCents: 0 } as typeof row & object, ...sealed.slice(1)])),
    ).not.toBe(stored);
    expect(digestOf(figures, rowsDigestOf(sealed.slice(1)))).not.toBe(stored);
    expect(digestOf({ ...figures, dueCents: figures.dueCents + 1 }, rowsDigestOf(sealed))).not.toBe(stored);
    expect(digestOf({ ...figures, previousDigest: 'x' }, rowsDigestOf(sealed))).not.toBe(stored);
  }
});
