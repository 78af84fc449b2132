import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';

interface Notice {
  to: string;
  /** The developer's name. */
  from: string;
  url: string;
}

export function rateChangedEmail({ to, from, url }: Notice, before: number, after: number): Email {
  return composeEmail({
    to,
    subject: `${from} changed your commission to ${after}%`,
    lines: [
      `${from} changed your commission from ${before}% to ${after}%.`,
      'The new rate applies to serials that are redeemed from now on, including serials you already have. Earlier redemptions keep their rate.',
    ],
    link: { label: 'See the history of your commission', url },
  });
}

export function pausedEmail({ to, from, url }: Notice): Email {
  return composeEmail({
    to,
    subject: `${from} paused your partnership`,
    lines: [
      `${from} paused your partnership. Their products, deals and stock are not available to you until they resume it.`,
      'Serials that you have already handed out can still be redeemed, and earn your commission.',
    ],
    link: { label: 'See your partnership', url },
  });
}

export function resumedEmail({ to, from, url }: Notice): Email {
  return composeEmail({
    to,
    subject: `${from} resumed your partnership`,
    lines: [`${from} resumed your partnership. Their products, deals and stock are available to you again.`],
    link: { label: 'See your partnership', url },
  });
}

/** @param name what the developer called the reseller that has become part of this one. */
export function mergedEmail({ to, from, url }: Notice, name: string, rate: number): Email {
  return composeEmail({
    to,
    subject: `${from} merged ${name} into your partnership`,
    lines: [
      `${from} merged the serials of ${name} into your partnership. Those that are still available are in your stock now.`,
      `They earn your commission of ${rate}% when they are redeemed. Past transactions and statements of ${name} are shown with yours from now on.`,
    ],
    link: { label: 'See your partnership', url },
  });
}

/** The email to the side that did not end the partnership. */
export function endedEmail({ to, from, url }: Notice, rate: number): Email {
  return composeEmail({
    to,
    subject: `Your partnership with ${from} has ended`,
    lines: [
      `Your partnership with ${from} has ended. Products, deals and stock are no longer shared.`,
      `Serials that were handed out before can still be redeemed, and earn the commission of ${rate}%. Past transactions and statements stay available to both of you.`,
    ],
    link: { label: 'See your partnerships', url },
  });
}

interface Message extends Notice {
  replyTo: string;
  message: string;
  unsubscribeUrl: string;
}

export function messageEmail({ to, from, url, replyTo, message, unsubscribeUrl }: Message): Email {
  const email = composeEmail({
    to,
    subject: `Message from ${from}`,
    lines: [`${from} (${replyTo}) wrote to you:`, message, 'Reply to this email to answer.'],
    link: { label: 'See your partnership', url },
    unsubscribeUrl,
  });
  return { ...email, replyTo };
}
