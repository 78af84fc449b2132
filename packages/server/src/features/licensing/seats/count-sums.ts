import { sql } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Logger } from '#platform/log.ts';
import type { LicensingDb } from '../tables.ts';
import { countSeats, hasDrifted } from './sums.ts';

/** Adds what changed in the last minute to the sums of seats. */
export const countSeatsJob = jobKind({
  name: 'count-seats',
  cron: '* * * * *',
  atStart: true,
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 600,
});

/** Compares the sums of seats with the seats. */
export const checkSeatsJob = jobKind({
  name: 'check-seats',
  cron: '20 4 * * *',
  retryLimit: 2,
  retryDelay: 600,
  expireInSeconds: 6 * 3600,
});

/** Accounts of one pass; the rest come with the next one. */
const ACCOUNTS = 1000;
const EACH = acrossTenants('each is counted by itself');

/** Keeps the sums of seats, an account at a time. Figures are right meanwhile: they contain what was not added yet. */
export class SeatCounter {
  readonly #db: LicensingDb;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(deps: { db: LicensingDb; clock: Clock; log: Logger }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /** Accounts with changes, the longest list first. */
  async add(): Promise<void> {
    const rows = await this.#db
      .selectFrom('seat_changes')
      .select('developer_id as id')
      .groupBy('developer_id')
      .orderBy((eb) => eb.fn.countAll(), 'desc')
      .limit(ACCOUNTS)
      .modifyEnd(EACH)
      .execute();
    await this.#count(rows);
  }

  /** Accounts that have seats from before there were sums. */
  async addUncounted(): Promise<void> {
    const counted = await this.#db
      .selectFrom('seat_counts')
      .select('developer_id')
      .where('counted_at', 'is not', null)
      .modifyEnd(EACH)
      .execute();
    const others = await this.#db
      .selectFrom('users')
      .select('id')
      .where('id', '<>', sql<string>`all(${counted.map((each) => each.developer_id)}::uuid[])`)
      .execute();
    // found by products: many machines don't compare `users`, which each of them has, with rows that only some have
    const { rows } = await sql<{ id: string }>`
      select p.developer_id as id from products p
      where p.developer_id = any(${others.map(({ id }) => id)}::uuid[]) and exists (
        select 1 from activations a where a.developer_id = p.developer_id and ${inList('a.last_seen_at')})
      group by 1 order by 1 limit ${sql.lit(ACCOUNTS)} ${EACH}`.execute(this.#db);
    await this.#count(rows);
  }

  /** Counts the seats of accounts anew whose sums are not those of their seats. */
  async check(): Promise<void> {
    const counted = await this.#db
      .selectFrom('seat_counts')
      .select('developer_id as id')
      .where('counted_at', 'is not', null)
      .orderBy('developer_id')
      .modifyEnd(EACH)
      .execute();
    for (const { id } of counted) {
      if (!(await hasDrifted(this.#db, id, this.#clock.now()))) continue;
      this.#log.warn({ account: id }, 'the sums of seats were not those of the seats, and are counted anew');
      await this.#db.updateTable('seat_counts').set({ counted_at: null }).where('developer_id', '=', id).execute();
      await this.#count([{ id }]);
    }
  }

  async #count(accounts: { id: string }[]): Promise<void> {
    const now = this.#clock.now();
    for (const { id } of accounts) {
      while (await this.#db.work({ tx: true }, (tx) => countSeats(tx, id, now)));
    }
  }
}
