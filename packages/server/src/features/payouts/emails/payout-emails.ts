import type { Columns } from '#platform/db/tables.ts';
import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { money, monthName } from '#platform/paper/words.ts';

/** The facts that all emails about a statement need. */
export interface Stated extends Columns<'payouts', 'number' | 'month' | 'total_redemptions' | 'due_cents'> {
  developer: string;
  reseller: string;
  outstanding_cents: number;
  url: string;
}

function rowsOf({ number, month, total_redemptions, due_cents }: Stated): [string, string][] {
  return [
    ['Statement', number],
    ['Month (UTC)', monthName(month)],
    ['Redemptions', total_redemptions.toLocaleString('en-US')],
    ['Due', money(due_cents)],
  ];
}

export function statementEmail(to: string, statement: Stated): Email {
  const { month, developer, due_cents } = statement;
  return composeEmail({
    to,
    subject: `Your statement from ${developer} for ${monthName(month)}`,
    lines: [
      due_cents > 0
        ? `The month is closed. You owe ${developer} ${money(due_cents)}. Please check the statement, then confirm or dispute it. It counts as confirmed after 14 days.`
        : `The month is closed. There is nothing to pay to ${developer}.`,
      'Sales count when the serial is redeemed.',
    ],
    rows: rowsOf(statement),
    link: { label: 'Open the statement', url: statement.url },
  });
}

/** The email to the developer: one for all statements of a month. */
export function monthClosedEmail(
  to: string,
  closed: { month: string; statements: number; due_cents: number; url: string; rows: [string, string][] },
): Email {
  const others = closed.statements - closed.rows.length;
  const count =
    closed.statements === 1 ? 'One statement was' : `${closed.statements.toLocaleString('en-US')} statements were`;
  return composeEmail({
    to,
    subject: `Reseller statements for ${monthName(closed.month)}`,
    lines: [
      `The month is closed. ${count} made; ${money(closed.due_cents)} is due to you in all.`,
      ...(others > 0 ? [`These are the ${closed.rows.length} largest.`] : []),
    ],
    rows: closed.rows,
    link: { label: 'Open your payouts', url: closed.url },
  });
}

/** About what the other side has done with a statement, or what it waits for. */
export function statementNoticeEmail(to: string, words: { subject: string; lines: string[] }, url: string): Email {
  return composeEmail({ to, ...words, link: { label: 'Open the statement', url } });
}
