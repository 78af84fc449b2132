import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Email, EmailQueue, Mailer } from '#platform/email/mailer.ts';
import { decodeCursor, decodeIdCursor, isMoment, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { InTurns } from '#platform/limits/in-turns.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { EmailKind } from './emails.entity.ts';
import type { EmailState, OwnEmailQuery } from './emails.schemas.ts';
import * as q from './sent-emails.queries.ts';
import type { EmailsDb } from './tables.ts';

/** `id` is that of its row in the log of emails. */
type EmailJob = Email & { id?: string; bulk?: true; unasked?: true };

/** How often an email is tried again, later each time: for about half a day. */
const RETRIES = 12;

export const emailJob = jobKind<EmailJob>({
  name: 'mail',
  retryLimit: RETRIES,
  retryDelay: 5,
  expireInSeconds: 120,
  // emails contain addresses and links that open accounts, so finished jobs are deleted soon
  deleteAfterSeconds: 3600,
  isEmail: true,
});

export interface About {
  kind: EmailKind;
  /** The developer in whose name it is sent; null for our own emails. */
  developerId: string | null;
  /** One of many: emails that someone is waiting for are sent first. */
  bulk?: true;
  /** No limit was asked before it was queued, so it is held back when the address has had many. */
  unasked?: true;
}

interface Dependencies {
  db: EmailsDb;
  clock: Clock;
  random: Random;
  jobs: Jobs;
  mailer: Mailer;
}

/** The most emails in one developer's name to one address within a day. Unasked ones beyond that are held back. */
const MOST_A_DAY = 20;
const HELD_BACK = `Held back: this address had ${MOST_A_DAY} emails in your name within a day.`;
/** How long the log keeps the recipient. */
const ADDRESS_LIFETIME = 30 * DAY;
/** The queue has given up long before. */
const GIVEN_UP = 2 * DAY;
const ERROR_LENGTH = 300;
/** Whether one statement can count or note all of these. */
const isTurn = (ids: readonly string[]) => ids.length <= 50;
const ACCOUNT: About = { kind: 'account', developerId: null };

/** Emails on their way, and the log of their delivery. */
export class SentEmails implements EmailQueue {
  readonly #deps: Dependencies;
  /** Emails that are due at the same time are counted together and noted together: thousands of an order's would be as many commits. */
  readonly #attempts: InTurns<string, q.Attempt | undefined>;
  readonly #sent: InTurns<string, void>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { db, clock } = deps;
    this.#attempts = new InTurns(async (ids) => {
      const counted = await q.countAttempts(db, ids);
      return ids.map((id) => counted.get(id));
    }, isTurn);
    this.#sent = new InTurns(async (ids) => {
      await q.markSent(db, ids, clock.now());
      return ids.map(() => undefined);
    }, isTurn);
  }

  /** Queues an email and its log row in the caller's transaction. */
  async queue(sql: Sql, email: Email, about: About = ACCOUNT): Promise<void> {
    await this.queueAll(sql, [{ email, about }]);
  }

  async queueOnce(sql: Sql, id: string, email: Email): Promise<void> {
    const queued = await q.findLogged(sql, [id]);
    if (queued.size === 0) await this.queueAll(sql, [{ id, email, about: ACCOUNT }]);
  }

  /** Those whose ids have not been queued before. @returns how many that were. */
  async queueNew(sql: Sql, emails: { id: string; email: Email; about: About }[]): Promise<number> {
    const known = await q.findLogged(
      sql,
      emails.map(({ id }) => id),
    );
    const fresh = emails.filter(({ id }) => !known.has(id));
    await this.queueAll(sql, fresh);
    return fresh.length;
  }

  async queueAll(sql: Sql, emails: { id?: string; email: Email; about: About }[]): Promise<void> {
    if (emails.length === 0) return;
    const { random, clock, jobs } = this.#deps;
    const identified = emails.map(({ id = random.id(), ...email }) => ({ id, ...email }));
    const logged = identified.map(({ id, email, about: { kind, developerId } }) => {
      return { id, kind, developerId, recipient: email.to, recipientKey: emailKey(email.to), subject: email.subject };
    });
    await q.logEmails(sql, logged, clock.now());
    const payloads = identified.map(({ id, email, about: { bulk, unasked } }) => ({
      ...email,
      id,
      ...(bulk ? { bulk } : {}),
      ...(unasked ? { unasked } : {}),
    }));
    await jobs.enqueueAll(sql, emailJob, payloads);
  }

  /**
   * One attempt. A sent email is not sent again; if a process dies after sending and before recording it, the repeat
   * has the same Message-ID, by which recipients can recognize it.
   */
  async deliver(job: EmailJob, jobId: string): Promise<void> {
    const { db, clock, mailer } = this.#deps;
    const { id = jobId, unasked, ...email } = job;
    const row = await this.#attempts.take('', id);
    // already sent, or erased while queued; jobs without an id were queued before the log existed
    if (!row && job.id) return;
    if (unasked && row && (await this.#tooMany(id, row))) {
      await q.markFailed(db, id, HELD_BACK, clock.now());
      return;
    }
    try {
      await mailer.send(email, id);
    } catch (error) {
      const message = withoutAddresses(error);
      const last = (row?.attempts ?? 0) > RETRIES;
      await q.markFailed(db, id, message, last ? clock.now() : null);
      // the original names the address, and this one is logged
      throw new Error(message);
    }
    await this.#sent.take('', id);
  }

  /** Whether an address has had as many in a developer’s name as it gets in a day. What was held back does not count. */
  async #tooMany(id: string, { developer_id, recipient_key, created_at }: q.Attempt): Promise<boolean> {
    if (developer_id === null) return false;
    const to = { developerId: developer_id, recipientKey: recipient_key };
    const since = new Date(created_at.getTime() - DAY);
    return (await q.countBefore(this.#deps.db, to, { id, since, most: MOST_A_DAY })) >= MOST_A_DAY;
  }

  /** How many of a kind an address was sent in a developer's name. */
  async countSince(
    sql: Sql,
    { developerId, kind, to, since }: { developerId: string; kind: EmailKind; to: string; since: Date },
  ): Promise<number> {
    return q.countOfKind(sql, { developerId, recipientKey: emailKey(to) }, { kind, since });
  }

  /** Which of these normalized addresses had an email of a kind, as far back as the log keeps addresses. */
  async sentThisMonth(
    sql: Sql,
    { developerId, kind, to }: { developerId: string; kind: EmailKind; to: readonly string[] },
  ): Promise<ReadonlySet<string>> {
    const since = new Date(this.#deps.clock.now().getTime() - ADDRESS_LIFETIME);
    return q.findNotifiedSince(sql, { developerId, kind, recipientKeys: to.map(emailKey), since });
  }

  /** Deletes the recipients of emails in this developer's name now; those still queued are no longer sent. */
  async erase(sql: Sql, developerId: string, addresses: readonly string[]): Promise<void> {
    const now = this.#deps.clock.now();
    await q.forgetRecipients(sql, { developerId, recipientKeys: addresses.map(emailKey), now });
  }

  /** Hourly: deletes old recipients, and marks emails as failed that the queue has silently given up on. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    await q.forgetOldRecipients(db, new Date(now.getTime() - ADDRESS_LIFETIME));
    await q.failOld(db, new Date(now.getTime() - GIVEN_UP), now);
  }

  /** Lists the emails to customers in a developer's name. */
  async listOwn(developerId: string, { limit, cursor, recipient, state, kind }: OwnEmailQuery) {
    const rows = await q.findCustomerEmails(this.#deps.db, {
      developerId,
      state,
      kind,
      recipientKey: recipient ? emailKey(recipient) : null,
      after: decodeIdCursor(cursor),
      limit: limit + 1,
    });
    return pageOf(rows, limit);
  }

  async list(query: { state?: EmailState | undefined; cursor?: string | undefined; limit: number }) {
    const after = decodeCursor(query.cursor, [isMoment, isId]);
    const rows = await q.findSentEmails(this.#deps.db, { state: query.state, after, limit: query.limit + 1 });
    return pageOf(rows, query.limit, (last) => [last.created_at.toISOString(), last.id]);
  }
}

/** The server's reply, without the addresses that servers tend to repeat. */
function withoutAddresses(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/[^\s<>"'(),;:]*@[^\s<>"'(),;]*/g, '…').slice(0, ERROR_LENGTH);
}
