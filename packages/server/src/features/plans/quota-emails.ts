import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { money, monthName } from '#platform/paper/words.ts';
import { nextMonth } from '#platform/time/months.ts';
import { capOf, type Plan, unitCentsOf } from './plans.ts';

interface Reached {
  plan: Plan;
  redemptions: number;
  /** Its first day. */
  month: string;
  /** The settings with the plans. */
  url: string;
}

const KEPT = 'What your customers own keeps working: activations, validation and downloads do not depend on the quota.';

/** A share of the month's quota is used. */
export function quotaEmail(to: string, { plan, redemptions, month, url }: Reached, level: number): Email {
  const quota = plan.redemptionQuota;
  const capped = capOf(plan) !== null;
  const all = level >= 100;
  const used = `${redemptions} of the ${quota} free redemptions that ${plan.name} includes in ${monthName(month)} are used.`;
  const next = capped
    ? all
      ? `No serial can be redeemed until ${firstDay(month)} (UTC), unless you choose a larger plan: then it works again at once.`
      : `At ${quota}, redemptions stop until ${firstDay(month)} (UTC). Choose a larger plan to let them go on.`
    : `Each redemption above ${quota} costs ${money(unitCentsOf(plan))}; none is refused.`;
  return composeEmail({
    to,
    subject: all
      ? capped
        ? 'Redemptions have stopped: this month’s quota is used'
        : 'This month’s free redemptions are used'
      : `${level}% of this month’s free redemptions are used`,
    lines: [used, next, ...(capped ? [KEPT] : [])],
    link: { label: capped ? 'Choose a plan' : 'See your plan', url },
  });
}

/** A customer stood before the cap. */
export function refusedEmail(to: string, { plan, month, url }: Reached): Email {
  return composeEmail({
    to,
    subject: 'A customer could not redeem a serial',
    lines: [
      `${plan.name} includes ${plan.redemptionQuota} redemptions a month, and those of ${monthName(month)} are used. Somebody has just tried to redeem another serial.`,
      `Nobody can redeem one until ${firstDay(month)} (UTC), unless you choose a larger plan: then it works again at once, also for those who were refused.`,
      KEPT,
      'We email you about this at most once a day.',
    ],
    link: { label: 'Choose a plan', url },
  });
}

const days = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
/** The day on which the next month begins: `April 1`. */
const firstDay = (month: string) => days.format(new Date(`${nextMonth(month)}T00:00:00Z`));
