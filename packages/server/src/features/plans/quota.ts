import type { Sql } from '#platform/db/database.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { planOf } from './plans.ts';
import type { TakenRedemption } from './rating.ts';

/** Shares of the quota, in percent, that a developer is told of by email, once a month each. */
const LEVELS = [100, 80] as const;

const begins = (level: number, quota: number) => Math.ceil((quota * level) / 100);

/** The highest of the levels that so many redemptions have reached, or 0. */
export function quotaLevel(redemptions: number, quota: number): number {
  return LEVELS.find((level) => redemptions >= begins(level, quota)) ?? 0;
}

/** Emails what the month has reached by then. */
export const quotaWarningJob = jobKind<{ developerId: string; month: string }>({
  name: 'quota-warning',
  retryLimit: 12,
  retryDelay: 5,
  expireInSeconds: 60,
  isEmail: true,
});

/** Queues the email, in the redemption's transaction: only with the one that reaches a level, so that no other is slower. */
export async function noteQuota(
  jobs: Jobs,
  sql: Sql,
  taken: TakenRedemption & { developerId: string; month: string },
): Promise<void> {
  const { redemptionQuota } = planOf(taken.plan);
  if (!LEVELS.some((level) => taken.ordinal === begins(level, redemptionQuota))) return;
  await jobs.enqueue(sql, quotaWarningJob, { developerId: taken.developerId, month: taken.month });
}
