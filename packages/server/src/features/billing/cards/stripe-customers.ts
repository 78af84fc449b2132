import { hash } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Payments } from '#platform/payments/payments.ts';
import { hourOf } from '../hour.ts';
import type { BillingDb } from '../tables.ts';
import { customerRow, noteCustomer, owedOnBalance, saveCard } from './cards.queries.ts';

interface Dependencies {
  db: BillingDb;
  clock: Clock;
  payments: Payments;
  /** Takes over the payments of a developer's invoices. */
  notePaid(developerId: string): Promise<void>;
}

/** Developers as customers of Stripe: one each. */
export class StripeCustomers {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async known(db: BillingDb, developerId: string): Promise<string | null> {
    return (await customerRow(db, developerId))?.stripe_customer_id ?? null;
  }

  /** The customer of a developer, also one that a database which was set back has forgotten. */
  async found(developerId: string, person: { email: string }): Promise<string | null> {
    const known = await this.known(this.#deps.db, developerId);
    return known ?? this.#atStripe(developerId, person.email, null);
  }

  /** The one that was made in place of a customer that is no more. */
  async successor(developerId: string, person: { email: string }, customerId: string): Promise<string | null> {
    if ((await this.#deps.payments.customer(customerId)) !== null) return null;
    return this.#atStripe(developerId, person.email, customerId);
  }

  /** Looks for a developer's customer at Stripe, and notes it with its card. */
  async #atStripe(developerId: string, email: string, gone: string | null): Promise<string | null> {
    const { payments } = this.#deps;
    const all = email === '' ? [] : await payments.customersWith(email);
    const own = all.find((each) => each.developerId === developerId && each.id !== gone);
    return own ? this.takeOver(developerId, own.id, gone) : null;
  }

  /** Notes a customer that Stripe has, with its card. @returns the developer's customer from now on. */
  async takeOver(developerId: string, customerId: string, gone: string | null): Promise<string> {
    const { db, clock, payments } = this.#deps;
    const there = await payments.customer(customerId);
    return db.work({ tx: true }, async (tx) => {
      const noted = await noteCustomer(tx, developerId, customerId, gone);
      if (there && noted === customerId) await saveCard(tx, developerId, there.card, clock.now());
      return noted;
    });
  }

  /**
   * The customer of a developer, made when there is none.
   * @param gone the customer that is no more; it is replaced by one that owes what was left on its balance (decision 0082).
   */
  async ensure(developerId: string, gone: string | null, person: { email: string; name: string }): Promise<string> {
    const { db, clock, payments } = this.#deps;
    const known = await this.known(db, developerId);
    if (known !== null && known !== gone) return known;
    if (gone !== null) await this.#deps.notePaid(developerId);
    const there = await this.#atStripe(developerId, person.email, gone);
    if (there !== null && there !== gone) return there;
    const balance = await owedOnBalance(db, developerId);
    // a key belongs to its parameters, and the account may have been renamed since the statement was made
    const who = hash('sha256', `${person.email}\n${person.name}\n${balance}`).slice(0, 16);
    const key = ['customer', developerId, gone ?? 'first', who, hourOf(clock.now())].join(':');
    const { id } = await payments.createCustomer({ developerId, email: person.email, name: person.name, balance }, key);
    return noteCustomer(db, developerId, id, gone);
  }
}
