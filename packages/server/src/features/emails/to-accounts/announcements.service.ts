import type { Clock } from '#platform/clock.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { SentEmails } from '../email-queue.service.ts';
import type { AnnouncementForm } from '../emails.schemas.ts';
import type { EmailsDb, EmailsHandle } from '../tables.ts';
import type { Unsubscribing } from '../unsubscribe/unsubscribe.service.ts';
import { announcementEmail } from './developer-emails.ts';

interface Dependencies {
  db: EmailsDb;
  clock: Clock;
  emailQueue: SentEmails;
  unsubscribing: Unsubscribing;
}

const BATCH = 500;
const roles = { developers: ['developer'], resellers: ['reseller'], everybody: ['developer', 'reseller'] } as const;

/** An admin's announcement to everyone who wants them. */
export class Announcements {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** All emails or none. @param id the announcement's; a repeat with the same id sends nothing and answers the same. */
  async send(id: string, form: AnnouncementForm): Promise<{ id: string; recipients: number }> {
    const { db, clock } = this.#deps;
    const { subject, body, audience } = form;
    return db.work({ tx: true }, async (tx) => {
      const made = await tx
        .insertInto('announcements')
        .values({ id, subject, body, audience, recipients: 0, created_at: clock.now() })
        .onConflict((on) => on.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (made) {
        const recipients = await this.#queueAll(tx, form);
        await tx.updateTable('announcements').set({ recipients }).where('id', '=', id).execute();
      }
      return tx.selectFrom('announcements').select(['id', 'recipients']).where('id', '=', id).executeTakeFirstOrThrow();
    });
  }

  async #queueAll(tx: EmailsHandle, form: AnnouncementForm): Promise<number> {
    const { emailQueue, unsubscribing } = this.#deps;
    let last: string | null = null;
    for (let count = 0; ; ) {
      const people = await nextSubscribers(tx, form.audience, last);
      const emails = people.map((person) => ({
        email: announcementEmail(person.email, form, unsubscribing.url(person.id, 'announcements')),
        about: { kind: 'announcement' as const, developerId: null, bulk: true as const },
      }));
      await emailQueue.queueAll(tx, emails);
      count += people.length;
      last = people.at(-1)?.id ?? null;
      if (people.length < BATCH) return count;
    }
  }

  async list(query: { cursor?: string | undefined; limit: number }) {
    const after = decodeIdCursor(query.cursor);
    const rows = await this.#deps.db
      .selectFrom('announcements')
      .select(['id', 'subject', 'body', 'audience', 'recipients', 'created_at'])
      .$if(after !== null, (all) => all.where('id', '<', after as string))
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute();
    return pageOf(rows, query.limit);
  }
}

/** The next accounts that want announcements, in the order of their ids. */
function nextSubscribers(
  tx: EmailsHandle,
  audience: AnnouncementForm['audience'],
  after: string | null,
): Promise<{ id: string; email: string }[]> {
  return tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('deleted_at', 'is', null)
    .where('notify_announcements', 'is', true)
    .where('role', 'in', roles[audience])
    .$if(after !== null, (all) => all.where('id', '>', after as string))
    .orderBy('id')
    .limit(BATCH)
    .execute();
}
