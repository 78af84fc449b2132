import { sql } from 'kysely';
import type { Serials } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { AppError } from '#platform/errors.ts';
import type { FirstStepsDb } from './tables.ts';

/** The steps, in the recommended order. */
export const steps = ['product', 'serials', 'page', 'key', 'redemption'] as const;
export type Step = (typeof steps)[number];

export interface Progress {
  steps: { step: Step; done: boolean }[];
  hidden: boolean;
}

interface Dependencies {
  db: FirstStepsDb;
  clock: Clock;
  serials: Serials;
}

/** The tag of batches that were made for the developer's own first redemption. They don't count as the second step. */
const TAG = 'First redemption';

/** How far a developer is on the way from an empty account to the first redemption. */
export class FirstSteps {
  readonly #db: FirstStepsDb;
  readonly #clock: Clock;
  readonly #serials: Serials;

  constructor({ db, clock, serials }: Dependencies) {
    this.#db = db;
    this.#clock = clock;
    this.#serials = serials;
  }

  /** Reads the progress. A step whose result was deleted is not done. Redemptions can't be deleted. */
  async get({ accountId }: Principal): Promise<Progress> {
    const read = sql<Record<Step | 'hidden', boolean>>`
      select u.first_steps_hidden_at is not null as hidden,
        exists (
          select 1 from products p where p.developer_id = ${accountId} and ${inList('p.created_at')}
            and p.deleted_at is null and not p.is_draft) as product,
        exists (
          select 1 from batches b where b.developer_id = ${accountId} and ${inList('b.created_at')}
            and b.batch_tag is distinct from ${TAG}) as serials,
        u.logo_url is not null or u.brand_color <> '#000000' or u.support_email is not null or u.support_url is not null as page,
        exists (select 1 from plugin_keys k where k.developer_id = ${accountId}) as key,
        exists (
          select 1 from redemptions r where r.developer_id = ${accountId} and ${inList('r.redeemed_at')}) as redemption
      from users u where u.id = ${accountId}`;
    const { rows } = await this.#db.work({ tx: true, settings: BY_INDEX }, (tx) => read.execute(tx));
    const [row] = rows;
    return { steps: steps.map((step) => ({ step, done: row?.[step] ?? false })), hidden: row?.hidden ?? false };
  }

  /**
   * A code that its developer redeems to see what customers see. It is made for this: any other may have been sold by now,
   * and its customer would find it redeemed. It costs nothing, so that no sale is invented.
   * @throws {AppError} domain_rule while no product can be redeemed.
   */
  async prepare(caller: Principal, batchId: string, signal: AbortSignal) {
    const id = (await this.#prepared(caller)) ?? (await this.#make(caller, batchId, signal));
    const serial = await this.#serials.get(caller, id);
    const link = new URL(serial.redeem_link);
    const me = await this.#db.selectFrom('users').select('email').where('id', '=', caller.accountId).executeTakeFirst();
    if (me) link.searchParams.set('email', me.email);
    return {
      serial_id: serial.id,
      serial: serial.code,
      product_name: serial.product_name,
      redeem_link: link.toString(),
    };
  }

  /** One that was made before and can still be redeemed. */
  async #prepared(caller: Principal): Promise<string | undefined> {
    const now = this.#clock.now();
    const batches = await this.#db
      .selectFrom('batches as b')
      .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
      .select('b.id')
      .where('b.developer_id', '=', caller.accountId)
      .where('b.batch_tag', '=', TAG)
      .where('b.partnership_id', 'is', null)
      .where('b.promo_price_cents', '=', 0)
      .where('p.deleted_at', 'is', null)
      .where('p.is_draft', 'is', false)
      .where((eb) => eb.or([eb('b.promo_start', 'is', null), eb('b.promo_start', '<=', now)]))
      .orderBy('b.id', 'desc')
      .limit(5)
      .execute();
    for (const { id: batch_id } of batches) {
      const query = { dateRange: 'all', state: 'available' as const, batch_id, limit: 1, count: false };
      const [serial] = (await this.#serials.list(caller, query)).rows;
      if (serial) return serial.id;
    }
    return undefined;
  }

  async #make(caller: Principal, batchId: string, signal: AbortSignal): Promise<string> {
    const product = await this.#db
      .selectFrom('products')
      .select('id')
      .where('developer_id', '=', caller.accountId)
      .where('deleted_at', 'is', null)
      .where('is_draft', 'is', false)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!product) throw new AppError('domain_rule', 'Submit a product first: the code is one of its serials.');
    const form = {
      product_id: product.id,
      quantity: 1,
      prefix: null,
      promo_price: 0,
      promo_start: null,
      promo_expires: null,
      expires_at: null,
      batch_tag: TAG,
      notes: null,
      reseller_id: null,
      new_reseller_name: null,
      deal_request_id: null,
    };
    const batch = await this.#serials.generate(caller, batchId, form, signal);
    const [serial] = (await this.#serials.batchSerials(caller.accountId, batch)).serials;
    // the same request, answered before
    if (!serial) throw new AppError('conflict', 'This code was deleted meanwhile. Ask for another one.');
    return serial.id;
  }

  async hide(caller: Principal, hidden: boolean): Promise<Progress> {
    const at = hidden ? this.#clock.now() : null;
    await sql`update users set first_steps_hidden_at = ${at} where id = ${caller.accountId}`.execute(this.#db);
    return this.get(caller);
  }
}
