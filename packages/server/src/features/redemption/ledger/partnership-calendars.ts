import { sql } from 'kysely';
import { developersOf } from '#features/partnerships';
import type { Sql } from '#platform/db/database.ts';
import { acrossTenants, joinShared, leftJoinOwn } from '#platform/db/tenant.ts';
import { sqlState } from '#platform/errors.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { RedemptionDb } from '../tables.ts';
import { BRIEFLY, recountPartnerDays } from './recount.ts';

/** After a reseller moved to another time zone. Named resellers that were taken over are found by the hourly pass. */
export const recountDaysJob = jobKind<{ resellerId: string }>({
  name: 'recount-partner-days',
  retryLimit: 8,
  retryDelay: 2,
  expireInSeconds: 600,
});

/** Partnerships of one pass; the rest come with the next one. */
const AT_ONCE = 1000;

/**
 * Keeps the days of partnerships in the time zone of their resellers. Until a partnership is recounted, a reader of its
 * days sees in `partner_calendars` that they are in another zone, and counts the ledger itself.
 */
export class PartnerCalendars {
  readonly #db: RedemptionDb;
  readonly #jobs: Jobs;

  constructor(deps: { db: RedemptionDb; jobs: Jobs }) {
    this.#db = deps.db;
    this.#jobs = deps.jobs;
  }

  /** Has a reseller's days recounted soon after the caller's transaction, in which the account's time zone changed. */
  recountSoon(sql: Sql, resellerId: string): Promise<void> {
    return this.#jobs.enqueue(sql, recountDaysJob, { resellerId });
  }

  /**
   * Recounts, one partnership after the other, so that no redemption waits for more than one of them.
   * @param resellerId only this reseller's; null: everybody's.
   * @throws when some were busy, after the others: to be tried again.
   */
  async recount(resellerId: string | null): Promise<void> {
    let busy = 0;
    for (const each of await findOutdated(this.#db, resellerId)) {
      const done = await this.#db
        .work({ tx: true, everywhere: BRIEFLY }, async (tx) => {
          await recountPartnerDays(tx, each);
          return true;
        })
        .catch((error: unknown) => {
          if (sqlState(error) === '55P03') return false;
          throw error;
        });
      if (!done) busy += 1;
    }
    if (busy > 0) throw new Error(`${busy} partnerships were busy`);
  }
}

async function findOutdated(db: RedemptionDb, resellerId: string | null) {
  const developers = resellerId === null ? [] : await developersOf(db, resellerId);
  return db
    .selectFrom('partnerships as t')
    .$call(joinShared('users as u', 'u.id', 't.reseller_id'))
    .$call(leftJoinOwn('partner_calendars as z', 'z.partnership_id', 't.id'))
    .select(['t.developer_id as developerId', 't.id as partnershipId', 'u.time_zone as timeZone'])
    .where(sql<boolean>`coalesce(z.time_zone, 'UTC') <> u.time_zone`)
    .$if(resellerId !== null, (all) =>
      all.where('t.reseller_id', '=', resellerId).where('t.developer_id', '=', sql<string>`any(${developers}::uuid[])`),
    )
    .orderBy('t.id')
    .limit(AT_ONCE)
    .$if(resellerId === null, (all) => all.modifyEnd(acrossTenants('the hourly pass')))
    .execute();
}
