import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { chanceOf } from '@tonerow/test-support/random.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-01-05T00:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, close, payoutsOf, post, authed, beside } = payoutScene(() => ({ server, clock }));

interface Sale {
  id: string;
  serial_id: string;
  month: string;
  price: number;
  bps: number;
  commission: number;
}
interface Adjustment {
  redemption_id: string;
  month: string;
  revenue: number;
  commission: number;
}
interface Statement {
  id: string;
  month: string;
  digest: string;
  total_redemptions: number;
  total_revenue_cents: string;
  reseller_earned_cents: string;
  developer_owed_cents: string;
  adjustments: number;
  adjustment_revenue_cents: string;
  adjustment_commission_cents: string;
  brought_forward_cents: string;
  due_cents: string;
  paid_cents: string;
  carried_cents: string;
  received: string;
  status: string;
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0);

/** Counts everything anew in this process, from the rows alone. */
async function check(partnershipId: string, frozen: Map<string, string>) {
  const month = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-01')`;
  const sales = await server.db.query<Sale & object>(
    `select id, serial_id, ${month('redeemed_at')} as month, final_price_cents as price, commission_bps as bps, commission_cents as commission
     from redemptions where partnership_id = $1 and source <> 'import'`,
    [partnershipId],
  );
  const adjustments = await server.db.query<Adjustment & object>(
    `select redemption_id, ${month('created_at')} as month, revenue_cents as revenue, commission_cents as commission
     from ledger_adjustments where partnership_id = $1`,
    [partnershipId],
  );
  const statements = await server.db.query<Statement & object>(
    `select o.*, o.month::text, coalesce((select sum(amount_cents) from payout_payments p where p.developer_id = o.developer_id and p.payout_id = o.id), 0) as received
     from payouts o where o.partnership_id = $1 order by o.position`,
    [partnershipId],
  );
  for (const each of statements) {
    const n = (text: string) => Number(text);
    const sold = sales.filter((row) => row.month === each.month);
    const changed = adjustments.filter((row) => row.month === each.month);
    // 1 and 5: the equations; 2 and 3: each row in the statement of its own month, to the cent
    expect(n(each.developer_owed_cents)).toBe(n(each.total_revenue_cents) - n(each.reseller_earned_cents));
    expect(n(each.due_cents)).toBe(
      n(each.developer_owed_cents) +
        n(each.adjustment_revenue_cents) -
        n(each.adjustment_commission_cents) +
        n(each.brought_forward_cents),
    );
    expect([each.total_redemptions, n(each.total_revenue_cents), n(each.reseller_earned_cents)]).toEqual([
      sold.length,
      sum(sold, (row) => row.price),
      sum(sold, (row) => row.commission),
    ]);
    expect([each.adjustments, n(each.adjustment_revenue_cents), n(each.adjustment_commission_cents)]).toEqual([
      changed.length,
      sum(changed, (row) => row.revenue),
      sum(changed, (row) => row.commission),
    ]);
    expect(n(each.paid_cents)).toBe(n(each.received));
    const outstanding = n(each.due_cents) - n(each.paid_cents) + n(each.carried_cents);
    if (each.status === 'paid') expect(outstanding).toBeLessThanOrEqual(0);
    if (each.status === 'pending') expect(outstanding).toBeGreaterThan(0);
    // 6: what was closed stays
    expect(frozen.get(each.id) ?? each.digest).toBe(each.digest);
    frozen.set(each.id, each.digest);
  }
  expect(sum(statements, (each) => Number(each.carried_cents) + Number(each.brought_forward_cents))).toBe(0);
  for (const sale of sales) {
    // 7: rounded once, half a cent up
    expect(sale.commission).toBe(Math.floor((sale.price * sale.bps + 5000) / 10_000));
    // 4: never below nothing, never above the sale
    const own = adjustments.filter((row) => row.redemption_id === sale.id);
    for (const [whole, left] of [
      [sale.price, sale.price + sum(own, (row) => row.revenue)],
      [sale.commission, sale.commission + sum(own, (row) => row.commission)],
    ] as const) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThanOrEqual(whole);
    }
  }
  return { sales, statements };
}

it('the invariants hold after each of many random steps over 14 months', { timeout: 120_000 }, async () => {
  const seed = Number(process.env.TONEROW_TEST_SEED ?? 20261122);
  const chance = chanceOf(seed);
  const { ada, rae, product, partnershipId } = await partners({ rate: 20, price: 33.33 });
  const frozen = new Map<string, string>();
  const refunded = new Set<string>();
  for (let month = 0; month < 14; month += 1) {
    const start = Date.UTC(2026, month, 1 + chance(3), chance(24));
    clock.set(new Date(start));
    // sometimes the close comes late
    if (chance(4) > 0) {
      await close();
      expect(await beside((deps) => deps.payoutAudit.run()), `seed ${seed}, month ${month}`).toBe(0);
    }
    for (let step = 0; step < 6; step += 1) {
      clock.advance(1 + chance(3 * 86_400_000));
      const { sales, statements } = await check(partnershipId, frozen);
      const sale = sales[chance(Math.max(1, sales.length))];
      const statement = statements[chance(Math.max(1, statements.length))];
      switch (chance(7)) {
        case 0:
        case 1:
          await sell(ada, product, 1 + chance(2), chance(3) === 0 ? { promo_price: chance(2000) / 100 } : {});
          break;
        case 2: {
          if (!sale) break;
          const amount = chance(2) === 0 ? {} : { amount: (1 + chance(Math.max(1, sale.price))) / 100 };
          await authed(ada, 'POST', `/api/serials/${sale.serial_id}/refund`, {
            ...amount,
            reason: 'Changed their mind',
          });
          refunded.add(sale.serial_id);
          break;
        }
        case 3: {
          const [serial] = refunded;
          if (!serial) break;
          await authed(ada, 'POST', `/api/serials/${serial}/reinstate`, { reason: 'Kept it after all' });
          refunded.delete(serial);
          break;
        }
        case 4:
          await server.db.query('update partnerships set commission_bps = $2 where id = $1', [
            partnershipId,
            chance(10_001),
          ]);
          break;
        case 5:
          if (statement)
            await post(ada, `/${statement.id}/mark-paid`, chance(2) === 0 ? {} : { amount: (1 + chance(9000)) / 100 });
          break;
        default:
          if (statement)
            await post(ada, `/${statement.id}/payments/${1 + chance(3)}/reverse`, { reason: 'Typed wrong' });
      }
    }
  }
  clock.set('2027-04-01T00:00:00Z');
  await close();
  const { sales, statements } = await check(partnershipId, frozen);
  expect(sales.length).toBeGreaterThan(10);
  expect(statements.length).toBeGreaterThan(8);
  expect(await payoutsOf(rae)).toHaveLength(statements.length);
  expect(await beside((deps) => deps.payoutAudit.run())).toBe(0);
});
