import type { Sql } from '../../../platform/db/database.ts';
import type { Publisher } from '../../../platform/events.ts';
import { composeEmail } from '../../../platform/mail/compose-email.ts';
import type { MailQueue } from '../../../platform/mail/mailer.ts';
import { money, monthName } from '../../../platform/paper/words.ts';
import { outstandingOf } from '../payout-rules.ts';
import type { PayoutEvent } from '../payouts.schemas.ts';
import type { PayoutRow, Side } from '../statements/payouts.queries.ts';

interface Dependencies {
  mails: MailQueue;
  events: Publisher<PayoutEvent>;
  publicUrl: string;
}

interface Words {
  subject: string;
  lines: string[];
}

/** Emails and live events to either side about what the other one did with a statement, in the transaction that does it. */
export class PayoutNotices {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  confirmed(sql: Sql, payout: PayoutRow) {
    const { reseller } = namesIn(payout);
    return this.#send(sql, 'developer', payout, {
      subject: `${reseller} confirmed statement ${payout.number}`,
      lines: [`${reseller} confirmed the statement for ${monthName(payout.month)}.`],
    });
  }

  disputed(sql: Sql, payout: PayoutRow, reason: string) {
    const { reseller } = namesIn(payout);
    return this.#send(sql, 'developer', payout, {
      subject: `${reseller} disputes statement ${payout.number}`,
      lines: [
        `${reseller} disputes the statement for ${monthName(payout.month)}. Their reason:\n${reason}`,
        'Answer on the statement’s page. Its figures stay as they are; what has to change becomes a refund or a correction in this month.',
      ],
    });
  }

  answered(sql: Sql, payout: PayoutRow, text: string) {
    const { developer } = namesIn(payout);
    return this.#send(sql, 'reseller', payout, {
      subject: `${developer} answered about statement ${payout.number}`,
      lines: [
        `${developer} answered about the statement for ${monthName(payout.month)}:\n${text}`,
        'Please confirm the statement, or dispute it again. It counts as confirmed after 14 days.',
      ],
    });
  }

  paid(sql: Sql, payout: PayoutRow, cents: number) {
    const { developer } = namesIn(payout);
    return this.#send(sql, 'reseller', payout, {
      subject: `${developer} received ${money(cents)} for statement ${payout.number}`,
      lines: [`${developer} recorded a payment of ${money(cents)} for the statement for ${monthName(payout.month)}.`],
    });
  }

  reversed(sql: Sql, payout: PayoutRow, cents: number, reason: string) {
    const { developer } = namesIn(payout);
    return this.#send(sql, 'reseller', payout, {
      subject: `${developer} reversed a payment for statement ${payout.number}`,
      lines: [
        `${developer} took back the record of a payment of ${money(cents)} for the statement for ${monthName(payout.month)}. The reason:\n${reason}`,
      ],
    });
  }

  async remind(sql: Sql, payout: PayoutRow, what: 'unconfirmed' | 'unpaid'): Promise<void> {
    const { developer, reseller } = namesIn(payout);
    const open = money(outstandingOf(payout));
    const month = monthName(payout.month);
    if (what === 'unconfirmed') {
      return this.#send(sql, 'reseller', payout, {
        subject: `Please confirm statement ${payout.number}`,
        lines: [
          `You owe ${developer} ${open} for ${month}. Please confirm or dispute the statement. It counts as confirmed after 14 days.`,
        ],
      });
    }
    await this.#send(sql, 'reseller', payout, {
      subject: `Statement ${payout.number} has not been paid`,
      lines: [`You owe ${developer} ${open} for ${month}. If you have paid, ask them to record it.`],
    });
    await this.#send(sql, 'developer', payout, {
      subject: `${reseller} has not paid statement ${payout.number}`,
      lines: [
        `${reseller} owes you ${open} for ${month}. If they have paid, record the payment on the statement’s page.`,
      ],
    });
  }

  async #send(sql: Sql, to: Side, payout: PayoutRow, { subject, lines }: Words): Promise<void> {
    const { mails, events, publicUrl } = this.#deps;
    const [account] = await sql.query<{ id: string; email: string }>(
      to === 'developer'
        ? 'select id, email from users where id = $1 and deleted_at is null and $2::uuid is not null'
        : `select u.id, u.email from partnerships p join users u on u.id = p.reseller_id and u.deleted_at is null
           where p.developer_id = $1 and p.id = $2`,
      [payout.developer_id, payout.partnership_id],
    );
    if (!account) return;
    const data = { payout_id: payout.id, number: payout.number, month: payout.month.slice(0, 7), title: subject };
    await events.publish(sql, account.id, { type: 'payout', data });
    const path = to === 'developer' ? `/dashboard/payouts/${payout.id}` : `/reseller/payouts/${payout.id}`;
    const link = { label: 'Open the statement', url: `${publicUrl}${path}` };
    await mails.queue(sql, composeEmail({ to: account.email, subject, lines, link }));
  }
}

function namesIn({ parties }: PayoutRow): { developer: string; reseller: string } {
  return { developer: parties.developer.name, reseller: parties.reseller.name };
}
