import { type Clock, DAY } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import type { EmailQueue, Mail, Mailer } from '#platform/email/mailer.ts';
import { decodeCursor, decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { EmailKind } from './emails.entity.ts';
import type { EmailState, OwnEmailQuery } from './emails.schemas.ts';
import { findCustomerEmails, findSentEmails, INSERT_EMAILS } from './sent-emails.queries.ts';

/** `id` is that of its row in the log of emails. */
type EmailJob = Mail & { id?: string; bulk?: true; unasked?: true };

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

interface Attempt {
  attempts: number;
  developer_id: string | null;
  recipient_key: string;
  created_at: Date;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  jobs: Jobs;
  mailer: Mailer;
}

/** In one developer's name to one address within a day, before those that nobody asked a limit for are held back. */
const MOST_A_DAY = 20;
const HELD_BACK = `Held back: this address had ${MOST_A_DAY} emails in your name within a day.`;
/** How long the log keeps the recipient. */
const ADDRESS_LIFETIME = 30 * DAY;
/** The queue has given up long before. */
const GIVEN_UP = 2 * DAY;
const ERROR_LENGTH = 300;
const ACCOUNT: About = { kind: 'account', developerId: null };

/** Emails on their way, and the log of their delivery. */
export class SentEmails implements EmailQueue {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Queues an email and its log row in the caller's transaction. */
  async queue(sql: Sql, mail: Mail, about: About = ACCOUNT): Promise<void> {
    await this.queueAll(sql, [{ mail, about }]);
  }

  async queueOnce(sql: Sql, id: string, mail: Mail): Promise<void> {
    const queued = await sql.query('select 1 from mails where id = $1', [id]);
    if (queued.length === 0) await this.queueAll(sql, [{ id, mail, about: ACCOUNT }]);
  }

  /** Those whose ids have not been queued before. @returns how many that were. */
  async queueNew(sql: Sql, emails: { id: string; mail: Mail; about: About }[]): Promise<number> {
    const ids = emails.map(({ id }) => id);
    const queued = await sql.query<{ id: string }>('select id from mails where id = any($1::uuid[])', [ids]);
    const known = new Set(queued.map(({ id }) => id));
    const fresh = emails.filter(({ id }) => !known.has(id));
    await this.queueAll(sql, fresh);
    return fresh.length;
  }

  async queueAll(sql: Sql, emails: { id?: string; mail: Mail; about: About }[]): Promise<void> {
    if (emails.length === 0) return;
    const { random, clock, jobs } = this.#deps;
    const payloads = emails.map(({ id = random.id(), mail, about: { bulk, unasked } }) => ({
      ...mail,
      id,
      ...(bulk ? { bulk } : {}),
      ...(unasked ? { unasked } : {}),
    }));
    await sql.query(INSERT_EMAILS, [
      payloads.map(({ id }) => id),
      emails.map(({ about }) => about.kind),
      emails.map(({ about }) => about.developerId),
      payloads.map(({ to }) => to),
      payloads.map(({ to }) => emailKey(to)),
      payloads.map(({ subject }) => subject),
      clock.now(),
    ]);
    await jobs.enqueueAll(sql, emailJob, payloads);
  }

  /**
   * One attempt. A sent email is not sent again; if a process dies after sending and before recording it, the repeat
   * has the same Message-ID, by which recipients can recognize it.
   */
  async deliver(job: EmailJob, jobId: string): Promise<void> {
    const { db, clock, mailer } = this.#deps;
    const { id = jobId, unasked, ...mail } = job;
    const [row] = await db.query<Attempt>(
      `update mails set attempts = attempts + 1 where id = $1 and sent_at is null and recipient <> ''
       returning attempts, developer_id, recipient_key, created_at`,
      [id],
    );
    // already sent, or erased while queued; jobs without an id were queued before the log existed
    if (!row && job.id) return;
    if (unasked && row?.developer_id && (await this.#tooMany(id, { ...row, developer_id: row.developer_id }))) {
      const held = 'update mails set error = $2, failed_at = $3 where id = $1 and sent_at is null';
      await db.query(held, [id, HELD_BACK, clock.now()]);
      return;
    }
    try {
      await mailer.send(mail, id);
    } catch (error) {
      const message = withoutAddresses(error);
      const last = (row?.attempts ?? 0) > RETRIES;
      await db.query('update mails set error = $2, failed_at = $3 where id = $1 and sent_at is null', [
        id,
        message,
        last ? clock.now() : null,
      ]);
      // the original names the address, and this one is logged
      throw new Error(message);
    }
    await db.query('update mails set sent_at = $2, error = null, failed_at = null where id = $1', [id, clock.now()]);
  }

  /** Whether an address has had as many as it gets in a day, what was held back not counted. */
  async #tooMany(id: string, { developer_id, recipient_key, created_at }: Attempt & { developer_id: string }) {
    const [row] = await this.#deps.db.query<{ n: number }>(
      `select count(*)::int as n from (
         select 1 from mails where developer_id = $1 and recipient_key = $2 and id < $3 and created_at > $4 and failed_at is null
         limit ${MOST_A_DAY}) as before`,
      [developer_id, recipient_key, id, new Date(created_at.getTime() - DAY)],
    );
    return (row?.n ?? 0) >= MOST_A_DAY;
  }

  /** How many of a kind an address was sent in a developer's name. */
  async countSince(
    sql: Sql,
    { developerId, kind, to, since }: { developerId: string; kind: EmailKind; to: string; since: Date },
  ): Promise<number> {
    const [row] = await sql.query<{ n: number }>(
      `select count(*)::int as n from mails where developer_id = $1 and recipient_key = $2 and kind = $3 and created_at > $4`,
      [developerId, emailKey(to), kind, since],
    );
    return row?.n ?? 0;
  }

  /** Which of some addresses, normalized, had one of a kind within the time for which the log keeps addresses. */
  async sentThisMonth(
    sql: Sql,
    { developerId, kind, to }: { developerId: string; kind: EmailKind; to: readonly string[] },
  ): Promise<ReadonlySet<string>> {
    const rows = await sql.query<{ recipient_key: string }>(
      `select distinct recipient_key from mails
       where developer_id = $1 and recipient_key = any($2) and kind = $3 and created_at > $4`,
      [developerId, to.map(emailKey), kind, new Date(this.#deps.clock.now().getTime() - ADDRESS_LIFETIME)],
    );
    return new Set(rows.map((row) => row.recipient_key));
  }

  /** Deletes the recipients of emails in this developer's name now; those still queued are no longer sent. */
  async forget(sql: Sql, developerId: string, addresses: readonly string[]): Promise<void> {
    await sql.query(
      `update mails set recipient = '', recipient_key = '', failed_at = case when sent_at is null then coalesce(failed_at, $3) end
       where developer_id = $1 and recipient_key = any($2)`,
      [developerId, addresses.map(emailKey), this.#deps.clock.now()],
    );
  }

  /** Hourly: deletes old recipients, and marks emails as failed that the queue has silently given up on. */
  async expire(): Promise<void> {
    const now = this.#deps.clock.now().getTime();
    await this.#deps.db.query(
      `update mails set recipient = '', recipient_key = '' where created_at < $1 and recipient <> ''`,
      [new Date(now - ADDRESS_LIFETIME)],
    );
    await this.#deps.db.query(
      'update mails set failed_at = $2 where sent_at is null and failed_at is null and created_at < $1',
      [new Date(now - GIVEN_UP), new Date(now)],
    );
  }

  /** What customers were sent in a developer's name. */
  async listOwn(developerId: string, { limit, cursor, recipient, state, kind }: OwnEmailQuery) {
    const rows = await findCustomerEmails(this.#deps.db, {
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
    const after = decodeCursor(query.cursor, 2);
    const rows = await findSentEmails(this.#deps.db, { state: query.state, after, limit: query.limit + 1 });
    return pageOf(rows, query.limit, (last) => [last.created_at.toISOString(), last.id]);
  }
}

/** The server's reply, without the addresses that servers tend to repeat. */
function withoutAddresses(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/[^\s<>"'(),;:]*@[^\s<>"'(),;]*/g, '…').slice(0, ERROR_LENGTH);
}
