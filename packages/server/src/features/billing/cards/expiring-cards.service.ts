import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { composeEmail } from '#platform/email/compose-email.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import { jobKind } from '#platform/jobs/job.ts';
import { type CardEvent, cardEvent } from './card-event.ts';
import { expiringBefore } from './expiry.ts';

export const expiringCardsJob = jobKind({
  name: 'expiring-cards',
  cron: '40 9 * * *',
  retryLimit: 3,
  retryDelay: 300,
  expireInSeconds: 1800,
});

interface Dependencies {
  db: Database;
  clock: Clock;
  emailQueue: EmailQueue;
  events: Publisher<CardEvent>;
  publicUrl: string;
}

interface Row {
  developer_id: string;
  email: string | null;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

const BATCH = 200;

/** Tells developers whose card ends within a month, once per card. */
export class ExpiringCards {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async run(): Promise<void> {
    while ((await this.#batch()) === BATCH);
  }

  #batch(): Promise<number> {
    const { db, clock, emailQueue, events, publicUrl } = this.#deps;
    const { year, month } = expiringBefore(clock.now());
    return db.transaction(async (tx) => {
      const rows = await tx.query<Row>(
        `/* across tenants: a job of the platform */ update billing_customers c set expiry_warned_for = c.payment_method_id
         from (
           select b.developer_id, u.email_key is not null as open, u.email from billing_customers b join users u on u.id = b.developer_id
           where b.payment_method_id is not null and b.expiry_warned_for is distinct from b.payment_method_id
             and (b.exp_year, b.exp_month) < ($1::int, $2::int)
           order by b.exp_year, b.exp_month limit ${BATCH} for update of b skip locked
         ) due
         where c.developer_id = due.developer_id
         returning c.developer_id, case when due.open then due.email end as email, c.brand, c.last4, c.exp_month, c.exp_year`,
        [year, month],
      );
      for (const { developer_id, email, ...card } of rows) {
        if (!email) continue;
        await emailQueue.queue(tx, expiringCardEmail(email, card, publicUrl));
        await events.publish(tx, developer_id, cardEvent('expiring', card));
      }
      return rows.length;
    });
  }
}

function expiringCardEmail(to: string, card: Omit<Row, 'developer_id' | 'email'>, publicUrl: string) {
  const ends = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;
  return composeEmail({
    to,
    subject: `Your card ending in ${card.last4} expires soon`,
    lines: [
      `The card that your plan is charged to expires at the end of ${ends}. Enter a new one before then, so that your next invoice can be paid.`,
    ],
    rows: [
      ['Card', `${card.brand} ending in ${card.last4}`],
      ['Expires', ends],
    ],
    link: { label: 'Update your card', url: `${publicUrl}/app/settings#billing` },
  });
}
