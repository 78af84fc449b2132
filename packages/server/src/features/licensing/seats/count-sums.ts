import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { jobKind } from '#platform/jobs/job.ts';
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

/** Keeps the sums of seats, an account at a time. Figures are right meanwhile: they contain what was not added yet. */
export class SeatCounter {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(deps: { db: Database; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  /** Accounts with changes, the longest list first. */
  async add(): Promise<void> {
    const rows = await this.#db.query<{ id: string }>(
      `/* across tenants: each is counted by itself */
       select developer_id as id from seat_changes group by 1 order by count(*) desc limit ${ACCOUNTS}`,
    );
    await this.#count(rows);
  }

  /** Accounts that have seats from before there were sums. */
  async addUncounted(): Promise<void> {
    const rows = await this.#db.query<{ id: string }>(
      `/* across tenants: each is counted by itself */
       select u.id from users u left join seat_counts c on c.developer_id = u.id
       where c.counted_at is null and exists (select 1 from activations a where a.developer_id = u.id and a.last_seen_at > '-infinity')
       order by u.id limit ${ACCOUNTS}`,
    );
    await this.#count(rows);
  }

  async #count(accounts: { id: string }[]): Promise<void> {
    const now = this.#clock.now();
    for (const { id } of accounts) {
      const count = (tx: Sql) => countSeats(tx, id, now);
      while (await this.#db.transaction(count));
    }
  }
}
