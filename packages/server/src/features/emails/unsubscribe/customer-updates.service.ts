import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { type Clock, DAY } from '#platform/clock.ts';
import { OUR_BRAND } from '#platform/email/brand.ts';
import { AppError } from '#platform/errors.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { Language } from '#platform/text/languages.ts';
import type { EmailsDb } from '../tables.ts';

/** A customer has no settings to go to, so the link in an old email has to work as long as anybody keeps it. */
const LIFETIME = 10 * 365 * DAY;

/** Whether a customer gets emails about new versions. `gone`: the customer's data was erased. */
export type UpdatesState = 'wanted' | 'stopped' | 'gone';

export interface CustomerUpdatesView {
  state: UpdatesState;
  developer: string;
  /** Null: unknown. */
  language: Language | null;
}

interface Claims {
  developer: string;
  customer: string;
}

interface Dependencies {
  db: EmailsDb;
  clock: Clock;
  secrets: Secrets;
  publicUrl: string;
}

/** Links at the bottom of emails about new versions: a customer, who has no account, stops them and asks for them again. */
export class CustomerUpdates {
  readonly #deps: Dependencies;
  readonly #mint: TokenMint<Claims>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#mint = new TokenMint(deps.secrets, 'customer-updates', deps.clock);
  }

  url(developer: string, customer: string): string {
    return `${this.#deps.publicUrl}/api/unsubscribe?token=${this.#mint.sign({ developer, customer }, LIFETIME)}`;
  }

  /** Null when the link is not of this kind, or too old. */
  async about(token: string): Promise<CustomerUpdatesView | null> {
    const claims = this.#mint.verify(token);
    return claims && this.#view(claims);
  }

  /**
   * Repeating a choice changes nothing. Null when the link is not of this kind, or too old.
   * @throws {AppError} link_invalid when there is nobody left to send emails to.
   */
  async choose(token: string, wish: 'stop' | 'again'): Promise<CustomerUpdatesView | null> {
    const claims = this.#mint.verify(token);
    if (!claims) return null;
    const { db, clock } = this.#deps;
    const since = wish === 'stop' ? clock.now() : null;
    await sql`
      update customers set no_updates_at = ${since} where developer_id = ${claims.developer} and id = ${claims.customer}
        and erased_at is null and no_updates_at ${since ? sql`is null` : sql`is not null`}`.execute(db);
    const view = await this.#view(claims);
    if (view.state === 'gone' && wish === 'again')
      throw new AppError('link_invalid', 'Such emails no longer go to this address.');
    return view;
  }

  async #view({ developer, customer }: Claims): Promise<CustomerUpdatesView> {
    const { db } = this.#deps;
    const account = await db
      .selectFrom('users as u')
      .select(nameOf('u').as('name'))
      .where('u.id', '=', developer)
      .executeTakeFirst();
    const person = await db
      .selectFrom('customers')
      .select(['language', 'no_updates_at', 'erased_at'])
      .where('developer_id', '=', developer)
      .where('id', '=', customer)
      .executeTakeFirst();
    return {
      state: !person || person.erased_at ? 'gone' : person.no_updates_at === null ? 'wanted' : 'stopped',
      // no name is left of an account that was closed
      developer: account?.name.trim() || OUR_BRAND.name,
      language: person?.language ?? null,
    };
  }
}
