import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Base } from '#platform/feature.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { isProven } from './customer-conditions.ts';
import { type CustomerRow, ensureCustomer, type Person } from './ensure-customer.ts';
import { addressMark, type Emailed } from './proofs.ts';
import { tables } from './tables.ts';

const byEmail = tables.named('by_email', (begin, developerId: string, key: string) =>
  begin
    .selectFrom('customers')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('developer_id', '=', developerId)
    .where('email_key', '=', key),
);

/** The people who redeem a developer's serials, for what they do themselves. */
export class Customers {
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ clock, random }: Pick<Base, 'clock' | 'random'>) {
    this.#clock = clock;
    this.#random = random;
  }

  async byEmail(handle: Sql, developerId: string, email: string): Promise<CustomerRow | undefined> {
    return (await byEmail(handle, developerId, emailKey(email)))[0];
  }

  /**
   * The customer with this address, made when there is none. Names are only ever filled in, never overwritten; the
   * language is that of the last redemption page.
   */
  async ensure(handle: Sql, developerId: string, person: Person): Promise<string> {
    return (await this.#ensure(handle, developerId, person, true)).id;
  }

  #ensure(handle: Sql, developerId: string, person: Person, visits: boolean): Promise<CustomerRow> {
    return ensureCustomer(handle, { id: this.#random.id(), developerId, now: this.#clock.now(), person, visits });
  }

  /**
   * The customer who gets a serial from somebody else, who stays until the transaction ends; made when there is none. Names
   * are only filled in.
   */
  receiving(
    handle: Sql,
    developerId: string,
    { email, first_name, last_name }: { email: string; first_name: string | null; last_name: string | null },
  ): Promise<CustomerRow> {
    return this.#ensure(handle, developerId, { email, firstName: first_name, lastName: last_name }, false);
  }

  /** Both histories have it, neither with the other's address. */
  async noteTransfer(handle: Sql, developerId: string, { code, from, to }: { code: string; from: string; to: string }) {
    const both = { developer_id: developerId, kind: 'changed', happened_at: this.#clock.now() } as const;
    await tables
      .in(handle)
      .insertInto('customer_events')
      .values([
        { ...both, id: this.#random.id(), customer_id: from, detail: `${code} was moved to another customer` },
        { ...both, id: this.#random.id(), customer_id: to, detail: `${code} was moved here from another customer` },
      ])
      .execute();
  }

  /**
   * They came by a link that was sent to their address. One to an address that they no longer have, or of a customer who was erased,
   * is nobody's.
   * @returns whether it was to the address that they have.
   */
  async followed(handle: Sql, { dev, customer, to }: Emailed, visit: 'opens all' | 'opens one'): Promise<boolean> {
    const held = await tables
      .in(handle)
      .selectFrom('customers as c')
      .select(['c.email', isProven('c').as('proven')])
      .where('c.developer_id', '=', dev)
      .where('c.id', '=', customer)
      .where('c.erased_at', 'is', null)
      .executeTakeFirst();
    if (!held || addressMark(held.email) !== to) return false;
    // a page is opened often, and its visits are no logins
    if (held.proven && visit === 'opens one') return true;
    const now = this.#clock.now();
    await tables
      .in(handle)
      .updateTable('customers')
      .set((eb) => ({ proven_at: eb.fn.coalesce('proven_at', eb.val(now)), last_login_at: now }))
      .where('developer_id', '=', dev)
      .where('id', '=', customer)
      .where('email_key', '=', emailKey(held.email))
      .execute();
    return true;
  }
}
