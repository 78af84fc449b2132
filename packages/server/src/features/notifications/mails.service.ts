import { type Clock, DAY } from '../../platform/clock.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { decodeCursor, pageOf } from '../../platform/http/cursor.ts';
import { type JobPayloads, type Jobs, MAIL_RETRIES } from '../../platform/jobs/jobs.ts';
import type { Mail, Mailer } from '../../platform/mail/mailer.ts';
import type { Random } from '../../platform/random.ts';
import { findMails, INSERT_MAILS } from './mails.queries.ts';
import type { LetterKind } from './notifications.entity.ts';
import type { MailState } from './notifications.schemas.ts';

type MailJob = JobPayloads['mail'];

export interface About {
  kind: LetterKind;
  /** In whose name it goes out; null for our own letters. */
  developerId: string | null;
  /** One of many at once: whatever somebody waits for is sent first. */
  bulk?: true;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  jobs: Jobs;
  mailer: Mailer;
}

/** How long the log says where a letter went. */
const ADDRESS_LIFETIME = 30 * DAY;
/** The queue has given up long before. */
const GIVEN_UP = 2 * DAY;
const ERROR_LENGTH = 300;

/** Letters on their way, and the log of what became of them. */
export class Mails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    deps.jobs.prepare('mail', (sql, mails) => this.#note(sql, mails));
  }

  /** Queues a letter and its row of the log in the caller's transaction. */
  async queue(sql: Sql, mail: Mail, about: About): Promise<void> {
    await this.queueAll(sql, [{ mail, about }]);
  }

  async queueAll(sql: Sql, letters: { mail: Mail; about: About }[]): Promise<void> {
    const payloads = letters.map(({ mail, about }) => ({ ...mail, ...about }));
    await this.#deps.jobs.enqueueAll(sql, 'mail', payloads);
  }

  /** Every mail that is queued passes here, so that none is missing in the log. What says no kind is the account's. */
  async #note(sql: Sql, mails: MailJob[]): Promise<MailJob[]> {
    const { random, clock } = this.#deps;
    const rows = mails.map(({ kind = 'account', developerId = null, ...mail }) => ({
      mail: { ...mail, id: random.id() },
      kind,
      developerId,
    }));
    await sql.query(INSERT_MAILS, [
      rows.map((row) => row.mail.id),
      rows.map((row) => row.kind),
      rows.map((row) => row.developerId),
      rows.map((row) => row.mail.to),
      rows.map((row) => row.mail.subject),
      clock.now(),
    ]);
    return rows.map((row) => row.mail);
  }

  /**
   * One try. What was sent is not sent again; when a process dies after the sending and before the note of it, the
   * repeat has the same Message-ID, by which receivers know it.
   */
  async deliver(job: MailJob, jobId: string): Promise<void> {
    const { db, clock, mailer } = this.#deps;
    const { id = jobId, ...mail } = job;
    const [row] = await db.query<{ attempts: number }>(
      `update mails set attempts = attempts + 1 where id = $1 and sent_at is null and recipient <> '' returning attempts`,
      [id],
    );
    // sent, or forgotten on its way; without an id it was queued before there was a log
    if (!row && job.id) return;
    try {
      await mailer.send(mail, id);
    } catch (error) {
      const message = withoutAddresses(error);
      const last = (row?.attempts ?? 0) > MAIL_RETRIES;
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

  /** Where letters in this developer's name went is forgotten now; those still waiting are not sent any more. */
  async forget(sql: Sql, developerId: string, address: string): Promise<void> {
    await sql.query(
      `update mails set recipient = '', failed_at = case when sent_at is null then coalesce(failed_at, $3) end
       where developer_id = $1 and lower(recipient) = lower($2)`,
      [developerId, address, this.#deps.clock.now()],
    );
  }

  /** Hourly: forgets where letters went, and gives up those that the queue gave up while nobody looked. */
  async expire(): Promise<void> {
    const now = this.#deps.clock.now().getTime();
    await this.#deps.db.query(`update mails set recipient = '' where created_at < $1 and recipient <> ''`, [
      new Date(now - ADDRESS_LIFETIME),
    ]);
    await this.#deps.db.query(
      'update mails set failed_at = $2 where sent_at is null and failed_at is null and created_at < $1',
      [new Date(now - GIVEN_UP), new Date(now)],
    );
  }

  async list(query: { state?: MailState | undefined; cursor?: string | undefined; limit: number }) {
    const after = decodeCursor(query.cursor, 2);
    const rows = await findMails(this.#deps.db, { state: query.state, after, limit: query.limit + 1 });
    return pageOf(rows, query.limit, (last) => [last.created_at.toISOString(), last.id]);
  }
}

/** What a server said, without the addresses that servers like to repeat. */
function withoutAddresses(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/[^\s<>"'(),;:]*@[^\s<>"'(),;]*/g, '…').slice(0, ERROR_LENGTH);
}
