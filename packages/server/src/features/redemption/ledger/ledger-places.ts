import { sql } from 'kysely';
import { acrossTenants } from '#platform/db/tenant.ts';
import { sqlState } from '#platform/errors.ts';
import type { RedemptionDb } from '../tables.ts';
import { BRIEFLY, countPlaces, EVER } from './recount.ts';

/** Accounts, and transactions, of one hourly pass; the rest come with the next one. */
const ACCOUNTS = 1000;
const STEPS = 2000;

/** Counts by country what was sold before there were such sums. Figures are right meanwhile: they count the ledger itself. */
export class LedgerPlaces {
  readonly #db: RedemptionDb;

  constructor(deps: { db: RedemptionDb }) {
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
          .work({ tx: true, everywhere: BRIEFLY }, (tx) => countPlaces(tx, developerId))
          .catch((error: unknown) => {
            if (sqlState(error) !== '55P03') throw error;
            busy += 1;
            return false;
          });
      }
    }
    if (busy > 0) throw new Error(`${busy} accounts were busy`);
  }

  /** Accounts that have sold something, and have not been counted to the beginning. */
  async #unfinished(): Promise<string[]> {
    const finished = await this.#db
      .selectFrom('ledger_place_counts')
      .select('developer_id')
      .where('complete_from', '<=', EVER)
      .modifyEnd(acrossTenants('each is counted by itself'))
      .execute();
    const others = await this.#db
      .selectFrom('users')
      .select('id')
      .where('id', '<>', sql<string>`all(${finished.map((each) => each.developer_id)}::uuid[])`)
      .execute();
    const found = await this.#db
      .selectFrom('ledger_days')
      .select('developer_id')
      .distinct()
      .where('developer_id', '=', sql<string>`any(${others.map(({ id }) => id)}::uuid[])`)
      .orderBy('developer_id')
      .limit(ACCOUNTS)
      .execute();
    return found.map((each) => each.developer_id);
  }
}
