import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
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

const { partners, sell, refund, close, beside, payoutsOf, payoutOf, get } = payoutScene(() => ({ server, clock }));

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
    `select id, redeemed_at as at, 'sale' as kind, null as "refersTo", final_price_cents as "revenueCents", commission_cents as "commissionCents",
       commission_bps as "commissionBps"
     from redemptions
     where partnership_id = $1 and to_char(redeemed_at at time zone 'UTC', 'YYYY-MM-01') = $2 and source <> 'import'
     union all select a.id, a.created_at, a.kind, a.redemption_id, a.revenue_cents, a.commission_cents, r.commission_bps
     from ledger_adjustments a join redemptions r on (r.developer_id, r.id) = (a.developer_id, a.redemption_id) where a.partnership_id = $1 and a.month::text = $2`,
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
    // one cent, one rate, one row, one predecessor: each is seen
    const [row] = sealed;
    expect(
      digestOf(figures, rowsDigestOf([{ ...row, commissionCents: 0 } as typeof row & object, ...sealed.slice(1)])),
    ).not.toBe(stored);
    expect(
      digestOf(figures, rowsDigestOf([{ ...row, commissionBps: 3334 } as typeof row & object, ...sealed.slice(1)])),
    ).not.toBe(stored);
    expect(digestOf(figures, rowsDigestOf(sealed.slice(1)))).not.toBe(stored);
    expect(digestOf({ ...figures, dueCents: figures.dueCents + 1 }, rowsDigestOf(sealed))).not.toBe(stored);
    expect(digestOf({ ...figures, previousDigest: 'x' }, rowsDigestOf(sealed))).not.toBe(stored);
  }
});

describe('a statement that is not sealed yet', () => {
  /** Two closed months of two resellers of one developer, whose seals are taken away again. */
  async function unsealed() {
    const { ada, rae, product } = await partners({ rate: 20, price: 10 });
    await sell(ada, product, 2);
    clock.advance(1000);
    const { rae: rob } = await partners({ rate: 30, ada });
    await sell(ada, product, 1);
    clock.advance(31 * DAY);
    await sell(ada, product, 1);
    clock.advance(31 * DAY);
    await close();
    const made = { rae: await payoutsOf(rae), rob: await payoutsOf(rob) };
    await server.db.query('alter table payouts disable trigger user');
    await server.db.query(
      'update payouts set digest = null, rows_digest = null, previous_digest = null where developer_id = $1',
      [ada.id],
    );
    await server.db.query('alter table payouts enable trigger user');
    return { ada, rae, rob, made };
  }

  it('has its figures, and gets the seal of its month’s rows from whoever asks first, after the one before it', async () => {
    const { ada, rob, made } = await unsealed();
    expect(await payoutsOf(rob)).toEqual(made.rob.map((row) => ({ ...row, digest: null, previous_digest: null })));
    const [last, first] = made.rob;
    expect(last.previous_digest).toBe(first.digest);
    const answers = await Promise.all([rob, ada, rob, ada].map((person) => payoutOf(person, last.id)));
    expect(answers.map(({ digest }) => digest)).toEqual(Array(4).fill(last.digest));
    expect(await payoutsOf(rob)).toEqual(made.rob);
  });

  it('is sealed before its papers are made, and by the audit when nobody asks', async () => {
    const { ada, rae, rob, made } = await unsealed();
    const csv = await get(rae, `/${made.rae[0].id}/statement.csv`);
    expect(csv.text).toContain(made.rae[0].digest);
    const year = made.rae[0].month.slice(0, 4);
    expect((await get(rae, `/archive?year=${year}`)).status).toBe(200);
    expect(await payoutsOf(rae)).toEqual(made.rae);
    expect((await payoutsOf(rob)).map(({ digest }) => digest)).toEqual(made.rob.map(() => null));
    expect(await beside((deps) => deps.payoutAudit.run())).toBe(0);
    expect(await payoutsOf(rob)).toEqual(made.rob);
    expect(await payoutsOf(ada)).toHaveLength(made.rae.length + made.rob.length);
  });

  it('is as frozen as a sealed one but for the seal, which is set once and as a whole', async () => {
    const { ada, made } = await unsealed();
    const { id } = made.rae[0];
    const change = (set: string) => server.db.query(`update payouts set ${set} where id = $1`, [id]);
    await expect(change('due_cents = due_cents + 1')).rejects.toThrow('frozen');
    await expect(change("digest = 'x'")).rejects.toThrow('payouts_sealed_check');
    await expect(change("previous_digest = 'x'")).rejects.toThrow('payouts_sealed_check');
    await beside((deps) => deps.payoutSeals.seal(ada.id));
    for (const set of [
      "digest = 'x'",
      "rows_digest = 'x'",
      'digest = null, rows_digest = null, previous_digest = null',
    ])
      await expect(change(set)).rejects.toThrow('frozen');
  });

  it('is sealed by the job that announces it', async () => {
    const { ada, rae, product } = await partners({ rate: 20, price: 10 });
    await sell(ada, product, 1);
    clock.advance(31 * DAY);
    await beside((deps) => deps.closings.run());
    await vi.waitFor(async () => expect((await payoutsOf(rae))[0].digest).toMatch(/^[0-9a-f]{64}$/), 20_000);
  });
});
