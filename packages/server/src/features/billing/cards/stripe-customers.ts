import { hash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type { Payments } from '../../../platform/payments/payments.ts';
import { hourOf } from '../hour.ts';
import { customerRow, noteCustomer, owedOnBalance } from './cards.queries.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  payments: Payments;
  /** Takes over what has become of a developer's invoices, as far as they are paid. */
  takeOver(developerId: string): Promise<void>;
}

/** Developers as customers of Stripe: one each. */
export class StripeCustomers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async known(sql: Sql, developerId: string): Promise<string | null> {
    return (await customerRow(sql, developerId))?.stripe_customer_id ?? null;
  }

  /**
   * The customer of a developer, made when there is none.
   * @param gone the customer that is no more; it is replaced by one that owes what was left on its balance (decision 0082).
   */
  async ensure(developerId: string, gone: string | null, person: { email: string; name: string }): Promise<string> {
    const { db, clock, payments } = this.#deps;
    const known = await this.known(db, developerId);
    if (known !== null && known !== gone) return known;
    if (gone !== null) await this.#deps.takeOver(developerId);
    const balance = await owedOnBalance(db, developerId);
    // a key belongs to its parameters, and the account may have been renamed since the statement was made
    const who = hash('sha256', `${person.email}\n${person.name}\n${balance}`).slice(0, 16);
    const key = ['customer', developerId, gone ?? 'first', who, hourOf(clock.now())].join(':');
    const { id } = await payments.createCustomer({ developerId, email: person.email, name: person.name, balance }, key);
    return noteCustomer(db, developerId, id, gone);
  }
}
