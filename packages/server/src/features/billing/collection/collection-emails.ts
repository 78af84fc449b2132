import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { money, monthName } from '#platform/paper/words.ts';
import { dayInWords } from '#platform/time/dates-in-words.ts';
import type { PaidBy } from '../statements/statements.schemas.ts';
import { CONFIRM, NO_CARD } from './attention.ts';

interface Stated {
  number: string;
  month: string;
  total_cents: number;
  url: string;
}

const rowsOf = ({ number, month, total_cents }: Stated): [string, string][] => [
  ['Invoice', number],
  ['Month (UTC)', monthName(month)],
  ['Amount', money(total_cents)],
];

/** What settled it, in cents: what the card was charged, and what was on the balance before. */
interface Paid {
  by: PaidBy;
  charged: number;
  balance: number;
}

export function paidEmail(to: string, stated: Stated, paid: Paid): Email {
  const month = monthName(stated.month);
  return composeEmail({
    to,
    // nothing was received yet for what the next invoice collects
    subject: `${paid.by === 'next_invoice' ? 'Invoice' : 'Receipt'} for ${month}`,
    lines: paidWords(month, paid),
    rows: rowsOf(stated),
    link: { label: 'Open your billing', url: stated.url },
  });
}

function paidWords(month: string, { by, charged, balance }: Paid): string[] {
  if (by === 'balance')
    return [`Your invoice for ${month} is paid from the credit on your balance. Your card was not charged.`];
  if (by === 'elsewhere') return [`Your invoice for ${month} is settled. Your card was not charged.`];
  if (by === 'next_invoice')
    return [
      `Your invoice for ${month} is too small to charge by itself, so it was added to your balance and is collected with your next invoice.`,
    ];
  const words = `We have charged your card ${money(charged)} for ${month}. Thank you.`;
  if (balance > 0) return [words, `It includes ${money(balance)} that earlier months left on your balance.`];
  return balance < 0 ? [words, `The credit on your balance, ${money(-balance)}, was taken off.`] : [words];
}

/** @param again when it is tried again; null: no longer automatically. */
export function chargeFailedEmail(
  to: string,
  stated: Stated,
  { reason, message, confirmUrl }: { reason: string | null; message: string; confirmUrl: string },
  again: Date | null,
): Email {
  const month = monthName(stated.month);
  return composeEmail({
    to,
    subject: `Your payment for ${month} did not go through`,
    lines: [
      reason === NO_CARD
        ? `We could not charge ${money(stated.total_cents)} for ${month}, because there is no card on file.`
        : `We could not charge your card ${money(stated.total_cents)} for ${month}. Your bank’s answer: ${message}`,
      reason === CONFIRM
        ? 'Your bank asks you to confirm the payment. Open the page below and confirm it there.'
        : 'Please check your card, or enter another one.',
      reason === CONFIRM
        ? again
          ? `Otherwise we try again on ${dayInWords(again, 'UTC')}, and at once with another card.`
          : 'We no longer try by ourselves, but at once with another card.'
        : again
          ? `With another card we try again at once, otherwise on ${dayInWords(again, 'UTC')}.`
          : 'We do not try this card again. With another one we try at once.',
      'Your plugins, serials and customers are not affected.',
    ],
    rows: rowsOf(stated),
    link:
      reason === CONFIRM
        ? { label: 'Confirm the payment', url: confirmUrl }
        : { label: 'Update your card', url: stated.url },
  });
}

export function givenUpEmail(to: string, stated: Stated): Email {
  const month = monthName(stated.month);
  return composeEmail({
    to,
    subject: `Your invoice for ${month} is still unpaid`,
    lines: [
      `We could not collect ${money(stated.total_cents)} for ${month} and have stopped trying. Please contact us to settle it.`,
      'Your plugins, serials and customers are not affected.',
    ],
    rows: rowsOf(stated),
    link: { label: 'Open your billing', url: stated.url },
  });
}
