import type { Sql } from '#platform/db/database.ts';
import { switches, type UnsubscribeKind, type Unsubscribing } from './unsubscribe.service.ts';

/** Where an optional email goes, and the link that turns its kind off. Give both to `composeEmail`. */
interface OptionalRecipient {
  email: string;
  /** The account's, for dates. */
  timeZone: string;
  unsubscribeUrl: string;
}

/** Which optional emails an account wants. */
export class EmailSwitches {
  readonly #unsubscribing: Unsubscribing;

  constructor({ unsubscribing }: { unsubscribing: Unsubscribing }) {
    this.#unsubscribing = unsubscribing;
  }

  /**
   * Ask this before queueing an email that an account can turn off.
   * @returns null when the account has turned this kind off, or was deleted: queue nothing then.
   * @example
   * const to = await emailSwitches.recipientOf(tx, resellerId, 'deals');
   * if (to) await mails.queue(tx, composeEmail({ to: to.email, unsubscribeUrl: to.unsubscribeUrl, subject, lines }));
   */
  async recipientOf(sql: Sql, userId: string, kind: UnsubscribeKind): Promise<OptionalRecipient | null> {
    const [account] = await sql.query<{ email: string; time_zone: string }>(
      `select email, time_zone from users where id = $1 and deleted_at is null and ${switches[kind].setting}`,
      [userId],
    );
    if (!account) return null;
    const { email, time_zone: timeZone } = account;
    return { email, timeZone, unsubscribeUrl: this.#unsubscribing.url(userId, kind) };
  }
}
