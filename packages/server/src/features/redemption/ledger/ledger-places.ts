import type { Database } from '#platform/db/database.ts';
import { sqlState } from '#platform/errors.ts';
import { countPlaces } from './ledger.ts';

/** Accounts, and transactions, of one hourly pass; the rest come with the next one. */
const ACCOUNTS = 1000;
const STEPS = 2000;

/** Counts by country what was sold before there were such sums. Figures are right meanwhile: they count the ledger itself. */
export class LedgerPlaces {
  readonly #db: Database;

  constructor(deps: { db: Database }) {
    this.#db = deps.db;
  }

  /** @throws when some accounts were busy, after the others: to be tried again. */
  async count(): Promise<void> {
    let [steps, busy] = [0, 0];
    for (const developerId of await this.#unfinished()) {
      let more = true;
      while (more && steps < STEPS) {
        steps += 1;
        more = await this.#db
          .transaction(async (tx) => {
            // a long import holds the lock; redemptions would queue up behind this transaction
            await tx.query("set local lock_timeout = '250ms'");
            return countPlaces(tx, developerId);
          })
          .catch((error: unknown) => {
            if (sqlState(error) !== '55P03') throw error;
            busy += 1;
            return false;
          });
      }
    }
    if (busy > 0) throw new Error(`${busy} accounts were busy`);
  }

  async #unfinished(): Promise<string[]> {
    const rows = await this.#db.query<{ id: string }>(
      `/* across tenants: each is counted by itself */
       select u.id from users u left join ledger_place_counts c on c.developer_id = u.id
       where coalesce(c.complete_from > '0001-01-01', true) and exists (select 1 from ledger_days d where d.developer_id = u.id)
       order by u.id limit ${ACCOUNTS}`,
    );
    return rows.map(({ id }) => id);
  }
}
