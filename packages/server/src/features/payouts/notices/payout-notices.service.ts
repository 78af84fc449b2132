import type { Database, Sql } from '#platform/db/database.ts';
import { mayCauseEmail } from '#platform/email/caused-emails.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { money, monthName } from '#platform/paper/words.ts';
import { outstandingOf } from '../payout-rules.ts';
import type { PayoutEvent } from '../payouts.schemas.ts';
import type { PayoutRow, Side } from '../statements/payouts.queries.ts';
import { statementNoticeEmail } from './payout-emails.ts';

interface Dependencies {
  db: Database;
  limits: RateLimits;
  emailQueue: EmailQueue;
  events: Publisher<PayoutEvent>;
  publicUrl: string;
}

interface Words {
  subject: string;
  lines: string[];
  /** False: only the bell tells. */
  mayEmail?: boolean;
}

/**
 * Emails and live events to either side about what the other one did with a statement, in the transaction that does it. Past the day's
 * emails to the other side it is done without one: nobody's books wait for that.
 */
export class PayoutNotices {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Counts an email from one side of a statement to the other. Before the transaction. */
  async mayEmail(from: Side, userId: string, payoutId: string): Promise<boolean> {
    const { db, limits } = this.#deps;
    const [other] = await db.query<{ email: string }>(
      from === 'developer'
        ? `select u.email from payouts o join partnerships p on (p.developer_id, p.id) = (o.developer_id, o.partnership_id)
             join users u on u.id = p.reseller_id and u.deleted_at is null
           where o.developer_id = $1 and o.id = $2`
        : `/* across tenants: a reseller works with many developers */
           select u.email from partnerships p join payouts o on (o.developer_id, o.partnership_id) = (p.developer_id, p.id) and o.id = $2
             join users u on u.id = p.developer_id and u.deleted_at is null
           where p.reseller_id = $1`,
      [userId, payoutId],
    );
    return other !== undefined && mayCauseEmail(limits, userId, other.email);
  }

  confirmed(sql: Sql, payout: PayoutRow, mayEmail: boolean) {
    const { reseller } = namesIn(payout);
    return this.#send(sql, 'developer', payout, {
      mayEmail,
      subject: `${reseller} confirmed statement ${payout.number}`,
      lines: [`${reseller} confirmed the statement for ${monthName(payout.month)}.`],
    });
  }

  disputed(sql: Sql, payout: PayoutRow, reason: string, mayEmail: boolean) {
    const { reseller } = namesIn(payout);
    return this.#send(sql, 'developer', payout, {
      mayEmail,
      subject: `${reseller} disputes statement ${payout.number}`,
      lines: [
        `${reseller} disputes the statement for ${monthName(payout.month)}. Their reason:\n${reason}`,
        'Answer on the statement’s page. Its figures stay as they are; what has to change becomes a refund or a correction in this month.',
      ],
    });
  }

  answered(sql: Sql, payout: PayoutRow, text: string, mayEmail: boolean) {
    const { developer } = namesIn(payout);
    return this.#send(sql, 'reseller', payout, {
      mayEmail,
      subject: `${developer} answered about statement ${payout.number}`,
      lines: [
        `${developer} answered about the statement for ${monthName(payout.month)}:\n${text}`,
        'Please confirm the statement, or dispute it again. It counts as confirmed after 14 days.',
      ],
    });
  }

  paid(sql: Sql, payout: PayoutRow, cents: number, mayEmail: boolean) {
    const { developer } = namesIn(payout);
    return this.#send(sql, 'reseller', payout, {
      mayEmail,
      subject: `${developer} received ${money(cents)} for statement ${payout.number}`,
      lines: [`${developer} recorded a payment of ${money(cents)} for the statement for ${monthName(payout.month)}.`],
    });
  }

  reversed(sql: Sql, payout: PayoutRow, cents: number, reason: string, mayEmail: boolean) {
    const { developer } = namesIn(payout);
    return this.#send(sql, 'reseller', payout, {
      mayEmail,
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

  async #send(sql: Sql, to: Side, payout: PayoutRow, { subject, lines, mayEmail = true }: Words): Promise<void> {
    const { emailQueue, events, publicUrl } = this.#deps;
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
    if (!mayEmail) return;
    const path = to === 'developer' ? `/dashboard/payouts/${payout.id}` : `/reseller/payouts/${payout.id}`;
    await emailQueue.queue(sql, statementNoticeEmail(account.email, { subject, lines }, `${publicUrl}${path}`));
  }
}

function namesIn({ parties }: PayoutRow): { developer: string; reseller: string } {
  return { developer: parties.developer.name, reseller: parties.reseller.name };
}
