import { randomUUID } from 'node:crypto';
import type { Person } from '@tonerow/test-support/http.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { chanceOf } from '@tonerow/test-support/random.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import type { Deps } from '../../../deps.ts';
import { Refunds } from '../refunds/refunds.service.ts';
import { tables } from '../tables.ts';
import { recordAll } from './ledger.ts';

let server: TestServer;
const clock = new TestClock('2026-01-05T00:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, authed, beside } = payoutScene(() => ({ server, clock }));

const MONTHS = 13;
/** Ten times as many make a hundred thousand: TONEROW_TEST_SALES=7650. */
const SALES_A_MONTH = Number(process.env.TONEROW_TEST_SALES ?? 765);
const ACTS_A_MONTH = 60;
const SHOPS = 6;

interface Shop {
  id: string;
  developer: string;
  zone: string;
  bps: number;
}
interface Sale {
  serial: string;
  shop: Shop;
  price: bigint;
  bps: bigint;
  /** The amount that is left of it. */
  revenue: bigint;
  commission: bigint;
}

/** Half a cent up, in whole numbers of any size. */
const share = (cents: bigint, bps: bigint) => (cents * bps + 5000n) / 10_000n;

/** The sums that the ledger must add up to, counted here from what was done. */
class Books {
  readonly rows = new Map<string, { n: number; revenue: bigint; commission: bigint }>();

  /** Adds to each sum that the row belongs to. */
  add(kind: 'sold' | 'adjusted', shop: Shop, at: Date, revenue: bigint, commission: bigint): void {
    const month = at.toISOString().slice(0, 7);
    const day = at.toLocaleDateString('sv', { timeZone: shop.zone });
    for (const key of [
      `total ${kind} ${shop.id}`,
      `month ${kind} ${shop.id} ${month}`,
      `statement ${kind} ${shop.id} ${month}`,
      `developer ${kind} ${shop.developer} ${day}`,
    ]) {
      const row = this.rows.get(key) ?? { n: 0, revenue: 0n, commission: 0n };
      this.rows.set(key, { n: row.n + 1, revenue: row.revenue + revenue, commission: row.commission + commission });
    }
  }
}

const SUMS = `
  select 'total sold ' || partnership_id as key, redemptions as n, revenue_cents as revenue, commission_cents as commission from partner_totals
  union all select 'total adjusted ' || partnership_id, adjustments, adjustment_revenue_cents, adjustment_commission_cents from partner_totals
  union all select 'month sold ' || partnership_id || to_char(month, ' YYYY-MM'), redemptions, revenue_cents, commission_cents from partner_months
  union all select 'month adjusted ' || partnership_id || to_char(month, ' YYYY-MM'), adjustments, adjustment_revenue_cents, adjustment_commission_cents from partner_months
  union all select 'statement sold ' || partnership_id || to_char(month, ' YYYY-MM'), total_redemptions, total_revenue_cents, reseller_earned_cents from payouts
  union all select 'statement adjusted ' || partnership_id || to_char(month, ' YYYY-MM'), adjustments, adjustment_revenue_cents, adjustment_commission_cents from payouts
  union all select 'developer sold ' || developer_id || ' ' || day, redemptions, revenue_cents, commission_cents from ledger_days
  union all select 'developer adjusted ' || developer_id || ' ' || day, adjustments, adjustment_revenue_cents, adjustment_commission_cents from ledger_days`;

/** Sales in bulk, as an import records them, with prices and rates of their own. */
async function sellAll({ db }: Deps, sales: readonly (Sale & { at: Date })[]): Promise<void> {
  for (const [developer, own] of Map.groupBy(sales, (sale) => sale.shop.developer)) {
    const columns = [
      own.map(({ serial }) => serial),
      own.map(({ shop }) => shop.id),
      own.map(({ at }) => at),
      own.map(({ price }) => Number(price)),
      own.map(({ bps }) => Number(bps)),
      own.map(({ commission }) => Number(commission)),
    ];
    await db.work({ tx: true }, async (tx) => {
      await tx.query(
        `create temp table sold on commit drop as
         select gen_random_uuid() as id, b.developer_id, s.serial_id, left(s.serial_id::text, 20) as code, b.product_id, b.partnership_id,
           (select id from customers c where c.developer_id = b.developer_id limit 1) as customer_id, s.redeemed_at, 'redeem' as source,
           s.final_price_cents, s.commission_bps, s.commission_cents, null::text as country, null::uuid as import_id, b.id as batch_id
         from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::int[], $6::int[])
           as s (serial_id, partnership_id, redeemed_at, final_price_cents, commission_bps, commission_cents)
         join batches b on b.developer_id = '${developer}' and b.partnership_id = s.partnership_id`,
        columns,
      );
      await tx.query(`insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at)
        select serial_id, developer_id, batch_id, code, replace(code, '-', ''), customer_id, redeemed_at from sold`);
      expect(await recordAll(tx, developer, sql`sold`)).toBe(own.length);
    });
  }
}

it('the sums of 10,000 random redemptions, refunds and rate changes are those of an independent recount', {
  timeout: 300_000,
}, async () => {
  const seed = Number(process.env.TONEROW_TEST_SEED ?? 20261122);
  const chance = chanceOf(seed);
  const books = new Books();
  const shops: Shop[] = [];
  const developers: Person[] = [];
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const first = await partners({ rate: 20 });
    developers.push(first.ada);
    await authed(first.ada, 'PUT', '/api/account/settings', { time_zone: zone });
    await server.db.query(
      "insert into customers (id, developer_id, email, email_key, created_at) values ($1, $2, 'a@example.com', 'a@example.com', now())",
      [randomUUID(), first.ada.id],
    );
    for (let n = 0; n < SHOPS; n += 1) {
      const shop = { id: n === 0 ? first.partnershipId : randomUUID(), developer: first.ada.id, zone, bps: 2000 };
      shops.push(shop);
      if (n > 0)
        await server.db.query(
          `insert into partnerships (id, developer_id, name, name_key, status, created_at) values ($1::uuid, $2, $3, $3, 'named', now())`,
          [shop.id, shop.developer, `shop ${n}`],
        );
      await server.db.query(
        `insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at) values ($1, $2, $3, $4, 'generate', 1, now())`,
        [randomUUID(), shop.developer, first.product.id, shop.id],
      );
    }
  }
  const sales: Sale[] = [];
  await beside(async (deps) => {
    const refunds = new Refunds({ ...deps, db: tables.of(deps.db), onLowStock: async () => undefined });
    const act = async (): Promise<void> => {
      const sale = sales[chance(sales.length)] as Sale;
      const caller = { accountId: sale.shop.developer } as Parameters<Refunds['refund']>[0];
      const isWhole = sale.revenue === sale.price;
      if (!isWhole && chance(3) === 0) {
        await refunds.reinstate(caller, sale.serial, randomUUID(), { reason: 'Kept', reassign: false });
        const back = share(sale.price, sale.bps) - sale.commission;
        books.add('adjusted', sale.shop, clock.now(), sale.price - sale.revenue, back);
        Object.assign(sale, { revenue: sale.price, commission: sale.commission + back });
      } else if (sale.revenue > 0n) {
        const cents = chance(2) === 0 ? sale.revenue : BigInt(1 + chance(Number(sale.revenue)));
        const form = { amount: Number(cents) / 100, reason: 'Late', kind: 'refund', revoke: false } as const;
        await refunds.refund(caller, sale.serial, randomUUID(), form);
        const left = share(sale.revenue - cents, sale.bps);
        books.add('adjusted', sale.shop, clock.now(), -cents, left - sale.commission);
        Object.assign(sale, { revenue: sale.revenue - cents, commission: left });
      }
    };
    for (let month = 0; month < MONTHS; month += 1) {
      const begin = Date.UTC(2026, month, 1);
      const length = Date.UTC(2026, month + 1, 1) - begin;
      const made = Array.from({ length: SALES_A_MONTH }, () => {
        const shop = shops[chance(shops.length)] as Shop;
        if (chance(20) === 0) shop.bps = chance(10_001);
        // cents and half cents matter most where there are few
        const price = BigInt(chance(3) === 0 ? chance(10) : chance(100_000));
        const bps = BigInt(shop.bps);
        const at = new Date(chance(10) === 0 ? begin + (chance(2) === 0 ? 0 : length - 1) : begin + chance(length));
        const commission = share(price, bps);
        books.add('sold', shop, at, price, commission);
        return { serial: randomUUID(), shop, price, bps, revenue: price, commission, at };
      });
      clock.set(new Date(begin + 1));
      for (const { id } of developers)
        await server.db.query(
          'insert into usage_months (developer_id, month, redemptions) values ($1, $2, 0) on conflict do nothing',
          [id, new Date(begin)],
        );
      await sellAll(deps, made);
      sales.push(...made);
      for (let n = 0; n < ACTS_A_MONTH; n += 1) {
        clock.set(new Date(begin + chance(length)));
        await act();
      }
      clock.set(new Date(begin + length));
      expect(await deps.closings.run()).toMatchObject({ failed: 0 });
    }
    expect(await deps.payoutAudit.run(), `seed ${seed}`).toBe(0);
  });
  const counted = new Map<string, object>();
  for (const { key, n, revenue, commission } of await server.db.query<
    Record<'key' | 'n' | 'revenue' | 'commission', string>
  >(
    `select key, sum(n)::int as n, sum(revenue)::text as revenue, sum(commission)::text as commission from (${SUMS}) s group by key having sum(n) > 0`,
  ))
    counted.set(key, { n: Number(n), revenue: BigInt(revenue), commission: BigInt(commission) });
  expect(Object.fromEntries(counted), `seed ${seed}`).toEqual(Object.fromEntries(books.rows));
  expect(sales).toHaveLength(MONTHS * SALES_A_MONTH);
  // and what its owner reads
  for (const ada of developers) {
    const own = sales.filter(({ shop }) => shop.developer === ada.id);
    const { body } = await authed(ada, 'GET', '/api/analytics?startDate=2025-12-01&endDate=2027-03-01');
    const revenue = own.reduce((sum, sale) => sum + sale.revenue, 0n);
    expect(body.totals, `seed ${seed}`).toMatchObject({ redemptions: own.length, revenue: Number(revenue) / 100 });
  }
});
