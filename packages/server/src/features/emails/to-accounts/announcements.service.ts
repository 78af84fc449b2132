import type { Clock } from '#platform/clock.ts';
import type { Database, Tx } from '#platform/db/database.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { AnnouncementForm, AnnouncementView } from '../emails.schemas.ts';
import type { Unsubscribing } from '../unsubscribe/unsubscribe.service.ts';
import { announcementEmail } from './developer-emails.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  emailQueue: SentEmails;
  unsubscribing: Unsubscribing;
}

const BATCH = 500;
const roles = { developers: ['developer'], resellers: ['reseller'], everybody: ['developer', 'reseller'] };

/** An admin's announcement to everyone who wants them. */
export class Announcements {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** All emails or none. @param id the announcement's; a repeat with the same id sends nothing and answers the same. */
  async send(id: string, form: AnnouncementForm): Promise<{ id: string; recipients: number }> {
    const { db, clock } = this.#deps;
    return db.transaction(async (tx) => {
      const made = await tx.query(
        `insert into announcements (id, subject, body, audience, recipients, created_at) values ($1, $2, $3, $4, 0, $5)
         on conflict (id) do nothing returning id`,
        [id, form.subject, form.body, form.audience, clock.now()],
      );
      if (made.length > 0) {
        const recipients = await this.#tellAll(tx, form);
        await tx.query('update announcements set recipients = $2 where id = $1', [id, recipients]);
      }
      const [row] = await tx.query<{ id: string; recipients: number }>(
        'select id, recipients from announcements where id = $1',
        [id],
      );
      return row as { id: string; recipients: number };
    });
  }

  async #tellAll(tx: Tx, form: AnnouncementForm): Promise<number> {
    const { emailQueue, unsubscribing } = this.#deps;
    let last: string | null = null;
    for (let told = 0; ; ) {
      const people: { id: string; email: string }[] = await tx.query(
        `select id, email from users where deleted_at is null and notify_announcements and role = any($1)
           and ($2::uuid is null or id > $2) order by id limit ${BATCH}`,
        [roles[form.audience], last],
      );
      const emails = people.map((person) => ({
        mail: announcementEmail(person.email, form, unsubscribing.url(person.id, 'announcements')),
        about: { kind: 'announcement' as const, developerId: null, bulk: true as const },
      }));
      await emailQueue.queueAll(tx, emails);
      told += people.length;
      last = people.at(-1)?.id ?? null;
      if (people.length < BATCH) return told;
    }
  }

  async list(query: { cursor?: string | undefined; limit: number }) {
    const after = decodeIdCursor(query.cursor);
    const rows = await this.#deps.db.query<AnnouncementView>(
      `select id, subject, body, audience, recipients, created_at from announcements
       where $1::uuid is null or id < $1 order by id desc limit $2`,
      [after, query.limit + 1],
    );
    return pageOf(rows, query.limit);
  }
}
