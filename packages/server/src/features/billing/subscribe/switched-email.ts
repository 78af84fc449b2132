import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { toCents } from '#platform/money.ts';
import { money } from '#platform/paper/words.ts';
import type { PlanSwitch } from './subscribe.schemas.ts';

const dollars = (amount: number) => money(toCents(amount));

/** The email to the account after a switch, because a plan costs money. */
export function switchedEmail(to: string, done: PlanSwitch & { previous: string; publicUrl: string }): Email {
  const above = done.overage_price === null ? 'Redemptions stop there' : `${dollars(done.overage_price)} each`;
  return composeEmail({
    to,
    subject: `Your plan is now ${done.label}`,
    lines: [
      `The plan of your Tonerow account was switched from ${done.previous} to ${done.label}. It applies from now on.`,
      ...(done.stops_now
        ? [
            'This month has used more redemptions than the plan includes, so no serial can be redeemed until the next month (UTC). What your customers own keeps working.',
          ]
        : []),
      'If it was not you, switch it back and choose a new password.',
    ],
    rows: [
      ['Free redemptions a month', `${done.redemption_quota}; ${done.redemptions} used so far`],
      ['Above that', above],
      ['Fee of this month', dollars(done.subscription_fee)],
      ['Fee from the next month on', dollars(done.next_subscription_fee)],
    ],
    link: { label: 'See your plan', url: `${done.publicUrl}/app/settings#plan` },
  });
}
