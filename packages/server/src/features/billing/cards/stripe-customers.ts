import { hash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type { Payments } from '../../../platform/payments/payments.ts';
import { hourOf } from '../hour.ts';
import { customerRow, noteCustomer } from './cards.queries.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  payments: Payments;
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
   * @param gone the customer that is no more; it is replaced.
   */
  async ensure(developerId: string, gone: string | null, person: { email: string; name: string }): Promise<string> {
    const { db, clock, payments } = this.#deps;
    const known = await this.known(db, developerId);
    if (known !== null && known !== gone) return known;
    // a key belongs to its parameters, and the account may have been renamed since the statement was made
    const who = hash('sha256', `${person.email}\n${person.name}`).slice(0, 16);
    const key = ['customer', developerId, gone ?? 'first', who, hourOf(clock.now())].join(':');
    const { id } = await payments.createCustomer({ developerId, email: person.email, name: person.name }, key);
    return noteCustomer(db, developerId, id, gone);
  }
}
