import { openEmailOf } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import { composeEmail } from '#platform/email/compose-email.ts';
import type { EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { BillingDb } from '../tables.ts';
import { type CardEvent, cardEvent } from './card-event.ts';
import { developersToWarn, noteWarned } from './cards.queries.ts';
import { expiringBefore } from './expiry.ts';

export const expiringCardsJob = jobKind({
  name: 'expiring-cards',
  cron: '40 9 * * *',
  retryLimit: 3,
  retryDelay: 300,
  expireInSeconds: 1800,
});

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  emailQueue: EmailQueue;
  events: Publisher<CardEvent>;
  publicUrl: string;
}

type EndingCard = NonNullable<Awaited<ReturnType<typeof noteWarned>>>;

const BATCH = 200;

/** Warns developers whose card ends within a month, once per card. */
export class ExpiringCards {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async run(): Promise<void> {
    while ((await this.#batch()) === BATCH);
  }

  async #batch(): Promise<number> {
    const { db, clock } = this.#deps;
    const before = expiringBefore(clock.now());
    const developers = await developersToWarn(db, before, BATCH);
    for (const developerId of developers) await this.#warn(developerId, before);
    return developers.length;
  }

  /** Alone, so that of several who do this at once one does, and the others wait for it and find nothing to do. */
  async #warn(developerId: string, before: ReturnType<typeof expiringBefore>): Promise<void> {
    const { db, emailQueue, events, publicUrl } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const card = await noteWarned(tx, developerId, before);
      if (!card) return;
      const to = await openEmailOf(tx, developerId);
      if (to === undefined) return;
      await emailQueue.queue(tx, expiringCardEmail(to, card, publicUrl));
      await events.publish(tx, developerId, cardEvent('expiring', card));
    });
  }
}

function expiringCardEmail(to: string, card: EndingCard, publicUrl: string) {
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
