import { sql } from 'kysely';
import { recordAudit } from '#features/audit';
import { recordWebhook } from '#features/webhooks';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, notFound, violatedConstraint } from '#platform/errors.ts';
import type { Base } from '#platform/feature.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { isProven } from './customer-conditions.ts';
import type { CustomerEventKind } from './customers.entity.ts';
import { findCustomer } from './customers.queries.ts';
import type { ChangeCustomerBody } from './customers.schemas.ts';
import type { CustomersDb, CustomersHandle } from './tables.ts';

/** Port: emails to both addresses, queued in the caller's transaction. */
export interface CustomerEmails {
  addressChanged(
    sql: Sql,
    developerId: string,
    change: {
      customerId: string;
      name: string | null;
      language: Language | null;
      from: string;
      /** Whether somebody has come by a link that was sent to that address. */
      fromProven: boolean;
      to: string;
    },
  ): Promise<void>;
}

type Dependencies = Pick<Base, 'clock' | 'random' | 'eraseEverywhere' | 'limits'> & {
  db: CustomersDb;
  emails: CustomerEmails;
};

/** A developer's changes to a customer. */
export class CustomerChanges {
  readonly #db: CustomersDb;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #eraseEverywhere: Base['eraseEverywhere'];
  readonly #emails: CustomerEmails;
  readonly #limits: RateLimits;

  constructor(deps: Dependencies) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#eraseEverywhere = deps.eraseEverywhere;
    this.#emails = deps.emails;
    this.#limits = deps.limits;
  }

  /**
   * Changes name or address, emails both addresses, and notes the change in the customer's history.
   * @throws {AppError} not_found; domain_rule after an erasure; conflict when another customer has the address; rate_limited.
   */
  async change(caller: Principal, id: string, body: ChangeCustomerBody): Promise<void> {
    if (body.email !== undefined) {
      const { email } = await findCustomer(this.#db, caller.accountId, id, 0);
      if (email !== '' && emailKey(email) !== emailKey(body.email))
        await takeCausedEmails(this.#limits, caller.accountId, [email, body.email]);
    }
    try {
      await this.#db.work({ tx: true }, (tx) => this.#change(tx, caller, id, body));
    } catch (error) {
      if (violatedConstraint(error) !== 'customers_developer_email_unique') throw error;
      throw new AppError('conflict', 'Another of your customers has this email address.');
    }
  }

  async #change(tx: CustomersHandle, caller: Principal, id: string, body: ChangeCustomerBody): Promise<void> {
    const { language, proven, ...before } = await this.#held(tx, caller, id);
    const after = { ...before, ...body };
    const changes = (['email', 'first_name', 'last_name'] as const)
      .filter((field) => after[field] !== before[field])
      .map((field) => `${before[field] ?? '–'} to ${after[field] ?? '–'}`);
    if (changes.length === 0) return;
    await recordAudit(tx, caller.accountId, { action: 'customer_changed', at: this.#clock.now(), objectId: id });
    const moved = emailKey(after.email) !== emailKey(before.email);
    await tx
      .updateTable('customers')
      .set({ email: after.email, email_key: emailKey(after.email) })
      .set({ first_name: after.first_name, last_name: after.last_name, first_name_from: null, last_name_from: null })
      // the reader of the new address has not signed in or proven it yet
      .$if(moved, (all) => all.set({ last_login_at: null, proven_at: null }))
      .where('developer_id', '=', caller.accountId)
      .where('id', '=', id)
      .execute();
    await this.#record(tx, caller, {
      id: this.#random.id(),
      customerId: id,
      kind: 'changed',
      detail: changes.join(', '),
      formerKey: moved ? emailKey(before.email) : null,
    });
    if (!moved) return;
    const name = [after.first_name, after.last_name].filter(Boolean).join(' ') || null;
    const [from, to] = [before.email, after.email];
    const change = { customerId: id, name, language, from, fromProven: proven, to };
    await this.#emails.addressChanged(tx, caller.accountId, change);
  }

  /** Adds a note that only the developer reads. @throws {AppError} not_found; domain_rule after an erasure. */
  async note(caller: Principal, id: string, noteId: string, text: string) {
    return this.#db.work({ tx: true }, async (tx) => {
      await this.#held(tx, caller, id);
      const at = await this.#record(tx, caller, {
        id: noteId,
        customerId: id,
        kind: 'noted',
        detail: text,
        formerKey: null,
      });
      return { id: noteId, text, created_at: at };
    });
  }

  /** The customer, who stays as they are until the transaction ends. */
  async #held(tx: CustomersHandle, caller: Principal, id: string) {
    const found = await tx
      .selectFrom('customers as c')
      .select(['c.id', 'c.email', 'c.first_name', 'c.last_name', 'c.language', 'c.erased_at'])
      .select(isProven('c').as('proven'))
      .where('c.developer_id', '=', caller.accountId)
      .where('c.id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!found) throw notFound('Customer');
    const { erased_at, ...held } = found;
    if (erased_at) throw new AppError('domain_rule', 'The data of this customer was erased.');
    return held;
  }

  async #record(
    tx: CustomersHandle,
    caller: Principal,
    event: { id: string; customerId: string; kind: CustomerEventKind; detail: string; formerKey: string | null },
  ): Promise<Date> {
    const { id, customerId, kind, detail, formerKey } = event;
    const { happened_at } = await tx
      .insertInto('customer_events')
      .values({
        developer_id: caller.accountId,
        id,
        customer_id: customerId,
        kind,
        detail,
        former_key: formerKey,
        happened_at: this.#clock.now(),
      })
      // a repeat of the same request has the same id
      .onConflict((on) =>
        on.columns(['developer_id', 'id']).doUpdateSet((eb) => ({ kind: eb.ref('customer_events.kind') })),
      )
      .returning('happened_at')
      .executeTakeFirstOrThrow();
    return happened_at;
  }

  /**
   * Blanks personal data. Serials and the ledger remain, so that figures still add up; active licenses keep working,
   * but the old address no longer opens their downloads.
   */
  async erase(caller: Principal, id: string, dryRun: boolean) {
    return this.#db.work({ tx: true }, async (tx) => {
      // a concurrent change or note either came first and is seen below, or finds the data erased
      if (!dryRun)
        await tx
          .selectFrom('customers')
          .select('id')
          .where('developer_id', '=', caller.accountId)
          .where('id', '=', id)
          .forNoKeyUpdate()
          .execute();
      const { email, erased_at, serials, machines } = await findCustomer(tx, caller.accountId, id, null);
      const released = machines.filter((machine) => machine.released_at !== null).length;
      const outcome = { serials_kept: serials.length, machines_forgotten: released, dry_run: dryRun };
      if (dryRun) return outcome;
      // addresses that somebody else has meanwhile are that person's
      const { rows: former } = await sql<{ key: string }>`
        with gone as (
          delete from customer_events where developer_id = ${caller.accountId} and customer_id = ${id} returning former_key)
        select distinct former_key as key from gone where former_key is not null and not exists (
          select 1 from customers c where c.developer_id = ${caller.accountId} and c.email_key = former_key and c.id <> ${id})`.execute(
        tx,
      );
      const emails = [email, ...former.map(({ key }) => key)].filter((each) => each !== '');
      await this.#eraseEverywhere(tx, { developerId: caller.accountId, customerId: id, emails });
      const now = this.#clock.now();
      await tx
        .updateTable('customers')
        .set({ email: '', email_key: sql<string>`'erased:' || id`, first_name: null, last_name: null, language: null })
        .set({ last_login_at: null, proven_at: null, no_updates_at: null })
        .set((eb) => ({ erased_at: eb.fn.coalesce('erased_at', eb.val(now)) }))
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .execute();
      // a second time, for machines released since, erases nothing that a receiver keeps
      if (erased_at === null) {
        const data = { customer_id: id };
        await recordWebhook(tx, caller.accountId, { type: 'customer.erased', at: this.#clock.now(), data });
        await recordAudit(tx, caller.accountId, { action: 'customer_erased', at: this.#clock.now(), objectId: id });
      }
      return outcome;
    });
  }
}
