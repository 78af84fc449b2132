import type { Sql } from '#platform/db/database.ts';
import { tables } from '../tables.ts';
import { switches, type UnsubscribeKind, type Unsubscribing } from './unsubscribe.service.ts';

/** The recipient of an optional email, and the link that switches its kind off. Give both to `composeEmail`. */
interface OptionalRecipient {
  email: string;
  /** The account's, for dates. */
  timeZone: string;
  unsubscribeUrl: string;
}

/** The optional emails that an account wants. */
export class EmailSwitches {
  readonly #unsubscribing: Unsubscribing;

  constructor({ unsubscribing }: { unsubscribing: Unsubscribing }) {
    this.#unsubscribing = unsubscribing;
  }

  /**
   * Ask this before queueing an email that an account can switch off.
   * @returns null when the account switched this kind off, or was deleted: queue nothing then.
   * @example
   * const to = await emailSwitches.recipientOf(tx, resellerId, 'deals');
   * if (to) await emailQueue.queue(tx, composeEmail({ to: to.email, unsubscribeUrl: to.unsubscribeUrl, subject, lines }));
   */
  async recipientOf(handle: Sql, accountId: string, kind: UnsubscribeKind): Promise<OptionalRecipient | null> {
    const account = await tables
      .in(handle)
      .selectFrom('users')
      .select(['email', 'time_zone'])
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where(switches[kind].setting, 'is', true)
      .executeTakeFirst();
    if (!account) return null;
    const { email, time_zone: timeZone } = account;
    return { email, timeZone, unsubscribeUrl: this.#unsubscribing.url(accountId, kind) };
  }
}
