import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { feeOf, planAtEnd, planAtStart } from './fees.ts';
import { capOf, planSql, plans, unitCentsOf } from './plans.ts';
import { tables } from './tables.ts';

describe('the rules of plans', () => {
  let server: SharedServer;
  beforeAll(async () => {
    server = await sharedServer();
  });

  it.each(plans)('are the same in SQL: $name', async (plan) => {
    const p = sql.ref<string>('p');
    const { rows } =
      await sql`select ${planSql.quota(p)} as quota, ${planSql.cap(p)} as cap, ${planSql.unitCents(p)} as unit
      from (select ${plan.slug}::text as p) x`.execute(tables.of(server.db as never));
    expect(rows[0]).toEqual({ quota: plan.redemptionQuota, cap: capOf(plan), unit: unitCentsOf(plan) });
  });
});

describe('the fee of a month', () => {
  const changes = [
    { month: '2026-02-01', plans: ['creator', 'elite', 'pro'], last: 'creator' },
    { month: '2026-04-01', plans: ['pro'], last: 'pro' },
  ];

  it('is that of the dearest plan held in it', () => {
    expect(['01', '02', '03', '04', '05'].map((month) => feeOf(changes, `2026-${month}-01`))).toEqual([
      0, 2000, 0, 1000, 1000,
    ]);
  });

  it('counts the plan that the month began with, whatever followed', () => {
    const down = [...changes, { month: '2026-06-01', plans: ['free'], last: 'free' }];
    expect([feeOf(down, '2026-06-01'), feeOf(down, '2026-07-01')]).toEqual([1000, 0]);
  });

  it('is none for an account that never chose a plan', () => {
    expect(feeOf([], '2026-02-01')).toBe(0);
  });

  it('knows the plan at both ends of a month', () => {
    expect([planAtStart(changes, '2026-02-01'), planAtEnd(changes, '2026-02-01')]).toEqual(['free', 'creator']);
    expect([planAtStart(changes, '2026-04-01'), planAtEnd(changes, '2026-03-01')]).toEqual(['creator', 'creator']);
  });
});
