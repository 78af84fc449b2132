import { randomUUID } from 'node:crypto';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, close, payoutsOf, payoutOf, authed, signIn, beside } = payoutScene(() => ({ server, clock }));

it('a merged reseller’s statements stay its own, what it has too much is brought forward to the other’s, and both are listed', async () => {
  const { ada, rae, product, partnershipId } = await partners({ rate: 20, price: 100 });
  await signIn(ada);
  const named = randomUUID();
  await server.db.query(
    `insert into partnerships (id, developer_id, name, name_key, commission_bps, status, created_at)
     values ($1::uuid, $2, 'Old Shop', 'old shop', 5000, 'named', $3)`,
    [named, ada.id, new Date('2025-12-01')],
  );
  const [early, late] = await sell(ada, product, 2, { reseller_id: named });
  clock.set(new Date('2026-02-01T00:10:00Z'));
  await close();
  const refund = (id: string | undefined) => authed(ada, 'POST', `/api/serials/${id}/refund`, { reason: 'Broken' });
  // leaves the named reseller with 50 dollars too much at the end of February
  expect((await refund(early)).status).toBe(201);
  clock.set(new Date('2026-03-01T00:10:00Z'));
  await close();
  const merged = await authed(ada, 'POST', `/api/reseller/developer/resellers/${named}/merge`, { into: partnershipId });
  expect([merged.status, merged.body.redemptions]).toEqual([200, 2]);
  expect((await refund(late)).status).toBe(201);
  await sell(ada, product, 2, { reseller_id: partnershipId });
  clock.set(new Date('2026-04-01T00:10:00Z'));
  await close();
  const rows = await payoutsOf(rae);
  expect(rows.map((each: { month: string; due: number }) => [each.month, each.due])).toEqual([
    // 2 × 80, less 50 of the refund in March, and 50 of the one in February
    ['2026-03', 60],
    ['2026-02', -50],
    ['2026-01', 100],
  ]);
  const [march] = rows;
  const statement = await payoutOf(rae, march.id);
  expect(statement).toMatchObject({ brought_forward: -50 });
  const { number } = rows.at(-1);
  const lines = await server.db.query('select partnership_id from payouts where developer_id = $1 order by month', [
    ada.id,
  ]);
  expect(lines).toEqual([{ partnership_id: named }, { partnership_id: named }, { partnership_id: partnershipId }]);
  expect(JSON.stringify(statement)).toContain(number);
  const own = await authed(ada, 'GET', `/api/reseller/developer/payouts?reseller_id=${partnershipId}`);
  expect(own.body.rows).toHaveLength(3);
  const balances = await authed(ada, 'GET', '/api/reseller/developer/balances');
  expect(balances.body.rows).toMatchObject([
    { reseller_id: partnershipId, outstanding: 160, credit: 0, unpaid: 2, refunded: 200, revenue: 400 },
  ]);
  await beside((deps) => deps.payoutAudit.run());
  expect(await server.db.query('select 1 from payouts where difference is not null', [])).toEqual([]);
  // nothing is left to bring forward
  clock.set(new Date('2026-05-01T00:10:00Z'));
  await close();
  expect(await payoutsOf(rae)).toHaveLength(3);
});
