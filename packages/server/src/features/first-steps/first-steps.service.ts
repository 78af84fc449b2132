import type { Principal } from '../../platform/access/access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';

/** In the order in which they are best taken. */
export const steps = ['product', 'serials', 'page', 'key', 'redemption'] as const;
export type Step = (typeof steps)[number];

export interface Progress {
  steps: { step: Step; done: boolean }[];
  hidden: boolean;
}

/** How far a developer is on the way from an empty account to the first redemption. */
export class FirstSteps {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** What was deleted since counts as not done, except for redemptions, which can't be. */
  async get({ userId }: Principal): Promise<Progress> {
    const [row] = await this.#db.query<Record<Step | 'hidden', boolean>>(
      `select u.first_steps_hidden_at is not null as hidden,
         exists (select 1 from products p where p.developer_id = u.id and p.deleted_at is null and not p.is_draft) as product,
         exists (select 1 from batches b where b.developer_id = u.id) as serials,
         u.logo_url is not null or u.brand_color <> '#000000' or u.support_email is not null or u.support_url is not null as page,
         exists (select 1 from plugin_keys k where k.developer_id = u.id) as key,
         exists (select 1 from redemptions r where r.developer_id = u.id) as redemption
       from users u where u.id = $1`,
      [userId],
    );
    return { steps: steps.map((step) => ({ step, done: row?.[step] ?? false })), hidden: row?.hidden ?? false };
  }

  async hide(caller: Principal, hidden: boolean): Promise<Progress> {
    await this.#db.query('update users set first_steps_hidden_at = $2 where id = $1', [
      caller.userId,
      hidden ? this.#clock.now() : null,
    ]);
    return this.get(caller);
  }
}
