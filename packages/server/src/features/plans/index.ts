import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { planRoutes } from './plans.routes.ts';
import { Plans } from './plans.service.ts';
import { quotaWarningJob } from './quota.ts';
import { QuotaEmails } from './quota-emails.service.ts';
import { tables } from './tables.ts';
import { UsageEvent } from './usage-event.ts';

export {
  billOf,
  isBilled,
  type MonthBill,
  nothingUsed,
  type UsedDay,
  usageDays,
  usageMonth,
  usageMonthOf,
  usageMonths,
} from './bills.ts';
export { dearestPlan, type PlanMonth, planAtStart, planMonths, planMonthsOf } from './fees.ts';
export { capOf, findPlan, type Plan, planOf, unitCentsOf } from './plans.ts';
export { noteQuota, quotaLevel, quotaWarningJob } from './quota.ts';
export type { QuotaEmails } from './quota-emails.service.ts';
export { chargeRefresh, chargeRefreshes, takeRedemption } from './rating.ts';
export { switchPlan } from './switch-plan.ts';
export {
  closeMonth,
  countOpen,
  expectClose,
  holdMonth,
  type OpenMonth,
  openAmong,
  openMonths,
  openMonthsOf,
} from './usage.ts';
export type { UsageEvent } from './usage-event.ts';

export const plans = {
  entities: tables.entities,
  events: [UsageEvent] as const,

  create(platform: Base, { emailQueue }: { emailQueue: EmailQueue }) {
    const base = { ...platform, db: tables.of(platform.db) };
    const quotaEmails = new QuotaEmails({ ...base, emailQueue });
    return {
      api: { quotaEmails },
      routes: [planRoutes(new Plans(base))],
      jobs: [jobWorker(quotaWarningJob, (warning) => quotaEmails.warn(warning))],
      close: () => quotaEmails.close(),
    };
  },
};
