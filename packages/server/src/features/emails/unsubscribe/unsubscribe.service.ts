import { sql } from 'kysely';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Tables } from '#platform/db/tables.ts';
import { AppError } from '#platform/errors.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { EmailsDb } from '../tables.ts';

/** Emails that an account can turn off: the setting of each, and its name in text. */
export const switches = {
  redemptions: { setting: 'notify_redemptions', words: 'emails about redemptions' },
  low_serials: { setting: 'notify_low_serials', words: 'emails about products that are running low on serials' },
  announcements: { setting: 'notify_announcements', words: 'announcements' },
  inquiries: { setting: 'notify_inquiries', words: 'emails about inquiries' },
  deals: { setting: 'notify_deals', words: 'emails about deals' },
  shops: { setting: 'notify_shops', words: 'emails about your shops' },
  webhooks: { setting: 'notify_webhook_fail', words: 'emails about failing webhooks' },
} as const satisfies Record<string, { setting: keyof Tables['users']; words: string }>;
export type UnsubscribeKind = keyof typeof switches;

const LIFETIME = 365 * DAY;

interface Dependencies {
  db: EmailsDb;
  clock: Clock;
  secrets: Secrets;
  publicUrl: string;
}

/** Links at the bottom of emails. They work without signing in, and do nothing until they are sent. */
export class Unsubscribing {
  readonly #deps: Dependencies;
  readonly #mint: TokenMint<{ user: string; kind: UnsubscribeKind }>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#mint = new TokenMint(deps.secrets, 'unsubscribe', deps.clock);
  }

  url(account: string, kind: UnsubscribeKind): string {
    return `${this.#deps.publicUrl}/api/unsubscribe?token=${this.#mint.sign({ user: account, kind }, LIFETIME)}`;
  }

  /** The subject of the link, in words; null when it is too old or not ours. */
  about(token: string): string | null {
    const claims = this.#mint.verify(token);
    return claims ? switches[claims.kind].words : null;
  }

  /** Switches the emails off. Doing it again changes nothing. @throws {AppError} link_invalid */
  async unsubscribe(token: string): Promise<string> {
    const claims = this.#mint.verify(token);
    if (!claims)
      throw new AppError(
        'link_invalid',
        'This link has expired. Sign in and switch these emails off in your settings.',
      );
    const { setting: name, words } = switches[claims.kind];
    const setting = sql.ref(name);
    await sql`update users set ${setting} = false where id = ${claims.user} and ${setting}`.execute(this.#deps.db);
    return `You will no longer receive ${words}. You can switch them back on in your settings.`;
  }
}
