import { sql } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { LicensingDb } from '../tables.ts';
import { countSeats } from './sums.ts';

/** Adds what changed in the last minute to the sums of seats. */
export const countSeatsJob = jobKind({
  name: 'count-seats',
  cron: '* * * * *',
  atStart: true,
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 600,
});

/** Accounts of one pass; the rest come with the next one. */
const ACCOUNTS = 1000;
const EACH = acrossTenants('each is counted by itself');

/** Keeps the sums of seats, an account at a time. Figures are right meanwhile: they contain what was not added yet. */
export class SeatCounter {
  readonly #db: LicensingDb;
  readonly #clock: Clock;

  constructor(deps: { db: LicensingDb; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
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
    const { rows } = await sql<{ id: string }>`
      select u.id from users u left join seat_counts c on c.developer_id = u.id
      where c.counted_at is null
        and exists (select 1 from activations a where a.developer_id = u.id and ${inList('a.last_seen_at')})
      order by u.id limit ${sql.lit(ACCOUNTS)} ${EACH}`.execute(this.#db);
    await this.#count(rows);
  }

  async #count(accounts: { id: string }[]): Promise<void> {
    const now = this.#clock.now();
    for (const { id } of accounts) {
      while (await this.#db.work({ tx: true }, (tx) => countSeats(tx, id, now)));
    }
  }
}
