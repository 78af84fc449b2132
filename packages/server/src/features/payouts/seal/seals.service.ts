import type { Database } from '#platform/db/database.ts';
import { boundsOf } from '#platform/time/months.ts';
import { ADJUSTMENT_LINE, adjustedIn, SALE_LINE, soldIn } from '../payout-rows.ts';
import { digestSql, rowsDigestSql } from './seal-sql.ts';

/**
 * $1 developer, $2 and $3 the month's bounds, $4 its first day, $5 a partnership or null. Statements and rows are one list that
 * is grouped once, for the same reason as in the close. Whoever seals at the same moment seals the same.
 */
const SEAL = `
  with hashed as (
    select partnership_id, (array_agg(payout_id) filter (where payout_id is not null))[1] as payout_id,
      max(previous_digest) as previous_digest, ${rowsDigestSql('line', 'id')} as rows_digest
    from (
      select o.partnership_id, o.id as payout_id, b.digest as previous_digest, null::uuid as id, null as line
      from payouts o left join payouts b on b.developer_id = $1 and b.partnership_id = o.partnership_id and b.position = o.position - 1
      where o.developer_id = $1 and o.digest is null and o.month = $4 and ($5::uuid is null or o.partnership_id = $5)
        and (o.position = 1 or b.digest is not null)
      union all select r.partnership_id, null, null, r.id, ${SALE_LINE}
      from redemptions r where r.developer_id = $1 and ${soldIn('r', '$2', '$3')} and ($5::uuid is null or r.partnership_id = $5)
      union all select a.partnership_id, null, null, a.id, ${ADJUSTMENT_LINE}
      from ledger_adjustments a join redemptions r on (r.developer_id, r.id) = (a.developer_id, a.redemption_id)
      where a.developer_id = $1 and ${adjustedIn('a', '$2', '$3')} and ($5::uuid is null or a.partnership_id = $5)
    ) x group by partnership_id
  )
  update payouts p set rows_digest = h.rows_digest, previous_digest = h.previous_digest, digest = ${digestSql('p', 'h')}
  from hashed h where p.developer_id = $1 and p.id = h.payout_id and p.digest is null`;

/**
 * Seals statements after the close, so that it holds a month no longer than it takes to add it up. The rows of a closed month
 * never change: a seal is the same whenever it is made, and however often it is tried.
 */
export class Seals {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  /** Seals what a developer's closes have left, of one partnership or of all: the earliest month first, because each seal covers the one before. */
  async seal(developerId: string, partnershipId: string | null = null): Promise<void> {
    const months = await this.#db.query<{ month: string }>(
      `select distinct o.month from payouts o
       where o.developer_id = $1 and o.digest is null and ($2::uuid is null or o.partnership_id = $2) order by 1`,
      [developerId, partnershipId],
    );
    // repeated when it meets whoever announces the same statements
    for (const { month } of months)
      await this.#db.transaction((tx) => tx.query(SEAL, [developerId, ...boundsOf(month), month, partnershipId]));
  }
}
