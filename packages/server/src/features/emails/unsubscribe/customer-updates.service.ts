import { accountName } from '#features/accounts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { OUR_BRAND } from '#platform/email/brand.ts';
import { AppError } from '#platform/errors.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { Language } from '#platform/text/languages.ts';

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
  db: Database;
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
    return claims && this.#view(this.#deps.db, claims);
  }

  /**
   * What was chosen before is chosen again without a change. Null when the link is not of this kind, or too old.
   * @throws {AppError} link_invalid when there is nobody left to send emails to.
   */
  async choose(token: string, wish: 'stop' | 'again'): Promise<CustomerUpdatesView | null> {
    const claims = this.#mint.verify(token);
    if (!claims) return null;
    const { db, clock } = this.#deps;
    const since = wish === 'stop' ? clock.now() : null;
    await db.query(
      `update customers set no_updates_at = $3 where developer_id = $1 and id = $2 and erased_at is null
         and (no_updates_at is null) = ($3::timestamptz is not null)`,
      [claims.developer, claims.customer, since],
    );
    const view = await this.#view(db, claims);
    if (view.state === 'gone' && wish === 'again')
      throw new AppError('link_invalid', 'Such emails no longer go to this address.');
    return view;
  }

  async #view(sql: Sql, { developer, customer }: Claims): Promise<CustomerUpdatesView> {
    const [row] = await sql.query<CustomerUpdatesView>(
      `select ${accountName('u')} as developer, c.language,
         case when c.id is null or c.erased_at is not null then 'gone' when c.no_updates_at is null then 'wanted' else 'stopped' end as state
       from users u left join customers c on c.developer_id = u.id and c.id = $2 where u.id = $1`,
      [developer, customer],
    );
    // of an account that was closed, no name is left
    return { state: 'gone', language: null, ...row, developer: row?.developer?.trim() || OUR_BRAND.name };
  }
}
