import { sql } from 'kysely';
import { developersOf } from '#features/partnerships';
import { joinOwn, joinShared } from '#platform/db/tenant.ts';
import { mayCauseEmail } from '#platform/email/caused-emails.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { money, monthName } from '#platform/paper/words.ts';
import { shortMonth } from '#platform/time/months.ts';
import { outstandingOf } from '../payout-rules.ts';
import type { PayoutEvent } from '../payouts.schemas.ts';
import type { PayoutRow, Side } from '../statements/payouts.queries.ts';
import type { PayoutsDb, PayoutsHandle } from '../tables.ts';
import { statementNoticeEmail } from './payout-emails.ts';

interface Dependencies {
  db: PayoutsDb;
  limits: RateLimits;
  emailQueue: EmailQueue;
  events: Publisher<PayoutEvent>;
  publicUrl: string;
}

interface Words {
  subject: string;
  lines: string[];
  /** False: only in the bell. */
  mayEmail?: boolean;
}

/**
 * Emails and live events to either side about what the other one did with a statement, in the transaction that does it. Past the day's
 * emails to the other side it is done without one: nobody's books wait for that.
 */
export class PayoutEmails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Counts an email from one side of a statement to the other. Before the transaction. */
  async mayEmail(from: Side, accountId: string, payoutId: string): Promise<boolean> {
    const { db, limits } = this.#deps;
    const other = await (from === 'developer'
      ? resellerOf(db, accountId, payoutId)
      : developerOf(db, accountId, payoutId));
    return other !== undefined && mayCauseEmail(limits, accountId, other.email);
  }

  confirmed(tx: PayoutsHandle, payout: PayoutRow, mayEmail: boolean) {
    const { reseller } = namesIn(payout);
    return this.#send(tx, 'developer', payout, {
      mayEmail,
      subject: `${reseller} confirmed statement ${payout.number}`,
      lines: [`${reseller} confirmed the statement for ${monthName(payout.month)}.`],
    });
  }

  disputed(tx: PayoutsHandle, payout: PayoutRow, reason: string, mayEmail: boolean) {
    const { reseller } = namesIn(payout);
    return this.#send(tx, 'developer', payout, {
      mayEmail,
      subject: `${reseller} disputes statement ${payout.number}`,
      lines: [
        `${reseller} disputes the statement for ${monthName(payout.month)}. Their reason:\n${reason}`,
        'Answer on the statement’s page. Its figures stay as they are; what has to change becomes a refund or a correction in this month.',
      ],
    });
  }

  answered(tx: PayoutsHandle, payout: PayoutRow, text: string, mayEmail: boolean) {
    const { developer } = namesIn(payout);
    return this.#send(tx, 'reseller', payout, {
      mayEmail,
      subject: `${developer} answered about statement ${payout.number}`,
      lines: [
        `${developer} answered about the statement for ${monthName(payout.month)}:\n${text}`,
        'Please confirm the statement, or dispute it again. It counts as confirmed after 14 days.',
      ],
    });
  }

  paid(tx: PayoutsHandle, payout: PayoutRow, cents: number, mayEmail: boolean) {
    const { developer } = namesIn(payout);
    return this.#send(tx, 'reseller', payout, {
      mayEmail,
      subject: `${developer} received ${money(cents)} for statement ${payout.number}`,
      lines: [`${developer} recorded a payment of ${money(cents)} for the statement for ${monthName(payout.month)}.`],
    });
  }

  reversed(tx: PayoutsHandle, payout: PayoutRow, cents: number, reason: string, mayEmail: boolean) {
    const { developer } = namesIn(payout);
    return this.#send(tx, 'reseller', payout, {
      mayEmail,
      subject: `${developer} reversed a payment for statement ${payout.number}`,
      lines: [
        `${developer} took back the record of a payment of ${money(cents)} for the statement for ${monthName(payout.month)}. The reason:\n${reason}`,
      ],
    });
  }

  async remind(tx: PayoutsHandle, payout: PayoutRow, what: 'unconfirmed' | 'unpaid'): Promise<void> {
    const { developer, reseller } = namesIn(payout);
    const open = money(outstandingOf(payout));
    const month = monthName(payout.month);
    if (what === 'unconfirmed') {
      return this.#send(tx, 'reseller', payout, {
        subject: `Please confirm statement ${payout.number}`,
        lines: [
          `You owe ${developer} ${open} for ${month}. Please confirm or dispute the statement. It counts as confirmed after 14 days.`,
        ],
      });
    }
    await this.#send(tx, 'reseller', payout, {
      subject: `Statement ${payout.number} has not been paid`,
      lines: [`You owe ${developer} ${open} for ${month}. If you have paid, ask them to record it.`],
    });
    await this.#send(tx, 'developer', payout, {
      subject: `${reseller} has not paid statement ${payout.number}`,
      lines: [
        `${reseller} owes you ${open} for ${month}. If they have paid, record the payment on the statement’s page.`,
      ],
    });
  }

  async #send(
    tx: PayoutsHandle,
    to: Side,
    payout: PayoutRow,
    { subject, lines, mayEmail = true }: Words,
  ): Promise<void> {
    const { emailQueue, events, publicUrl } = this.#deps;
    const account = await (to === 'developer' ? accountOf(tx, payout.developer_id) : partnerOf(tx, payout));
    if (!account) return;
    const data = { payout_id: payout.id, number: payout.number, month: shortMonth(payout.month), title: subject };
    await events.publish(tx, account.id, { type: 'payout', data });
    if (!mayEmail) return;
    const path = to === 'developer' ? `/dashboard/payouts/${payout.id}` : `/reseller/payouts/${payout.id}`;
    await emailQueue.queue(tx, statementNoticeEmail(account.email, { subject, lines }, `${publicUrl}${path}`));
  }
}

function namesIn({ parties }: PayoutRow): { developer: string; reseller: string } {
  return { developer: parties.developer.name, reseller: parties.reseller.name };
}

/** The account with which a developer shares a statement. */
const resellerOf = (handle: PayoutsHandle, developerId: string, payoutId: string) =>
  handle
    .selectFrom('payouts as o')
    .$call(joinOwn('partnerships as p', 'p.id', 'o.partnership_id'))
    .$call(joinShared('users as u', 'u.id', 'p.reseller_id'))
    .select('u.email')
    .where('o.developer_id', '=', developerId)
    .where('o.id', '=', payoutId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();

/** The same from the other side. */
const developerOf = async (handle: PayoutsHandle, resellerId: string, payoutId: string) =>
  handle
    .selectFrom('payouts as o')
    .$call(joinOwn('partnerships as p', 'p.id', 'o.partnership_id'))
    .$call(joinShared('users as u', 'u.id', 'p.developer_id'))
    .select('u.email')
    .where('o.developer_id', '=', sql<string>`any(${await developersOf(handle, resellerId)}::uuid[])`)
    .where('p.reseller_id', '=', resellerId)
    .where('o.id', '=', payoutId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();

const accountOf = (handle: PayoutsHandle, id: string) =>
  handle
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The account behind a partnership. */
const partnerOf = (handle: PayoutsHandle, { developer_id, partnership_id }: PayoutRow) =>
  handle
    .selectFrom('partnerships as p')
    .$call(joinShared('users as u', 'u.id', 'p.reseller_id'))
    .select(['u.id', 'u.email'])
    .where('p.developer_id', '=', developer_id)
    .where('p.id', '=', partnership_id)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();
