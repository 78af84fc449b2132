import { sql } from 'kysely';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { boundsOf } from '#platform/time/months.ts';
import { ADJUSTMENT_LINE, adjustedIn, SALE_LINE, soldIn } from '../payout-rows.ts';
import type { PayoutsDb, PayoutsHandle } from '../tables.ts';
import { digestSql, rowsDigestSql } from './seal-sql.ts';

/**
 * Seals a month's statements. Statements and rows are one list that is grouped once, for the same reason as in the
 * close. Processes that seal at the same moment seal the same.
 */
async function sealMonth(
  handle: PayoutsHandle,
  developerId: string,
  partnershipId: string | null,
  month: string,
): Promise<void> {
  const bounds = boundsOf(month);
  const chosen = (alias: string) =>
    partnershipId === null ? sql`` : sql`and ${sql.ref(`${alias}.partnership_id`)} = ${partnershipId}`;
  const { rows } = await sql<
    Columns<'payouts', 'id'> & { rows_digest: string; previous_digest: string | null; digest: string }
  >`
    with hashed as (
      select partnership_id, (array_agg(payout_id) filter (where payout_id is not null))[1] as payout_id,
        max(previous_digest) as previous_digest, ${rowsDigestSql(sql`line`, sql`id`)} as rows_digest
      from (
        select o.partnership_id, o.id as payout_id, b.digest as previous_digest, null::uuid as id, null as line
        from payouts o left join payouts b on b.developer_id = ${developerId} and b.partnership_id = o.partnership_id and b.position = o.position - 1
        where o.developer_id = ${developerId} and o.digest is null and o.month = ${month} ${chosen('o')}
          and (o.position = 1 or b.digest is not null)
        union all select r.partnership_id, null, null, r.id, ${SALE_LINE}
        from redemptions r where r.developer_id = ${developerId} and ${soldIn('r', bounds)} ${chosen('r')}
        union all select a.partnership_id, null, null, a.id, ${ADJUSTMENT_LINE}
        from ledger_adjustments a ${ownJoin('redemptions as r', 'r.id', 'a.redemption_id')}
        where a.developer_id = ${developerId} and ${adjustedIn('a', bounds)} ${chosen('a')}
      ) x group by partnership_id
    )
    select p.id, h.rows_digest, h.previous_digest, ${digestSql('p', 'h')} as digest
    from hashed h join payouts p on p.developer_id = ${developerId} and p.id = h.payout_id where p.digest is null`.execute(
    handle,
  );
  // texts of dates depend on the connection, and each machine of several has its own: so they are not made in the change itself
  const of = <T>(value: (row: (typeof rows)[number]) => T) => rows.map(value);
  await sql`
    update payouts p set rows_digest = h.rows_digest, previous_digest = h.previous_digest, digest = h.digest
    from unnest(${of(({ id }) => id)}::uuid[], ${of((row) => row.rows_digest)}::text[], ${of((row) => row.previous_digest)}::text[],
      ${of((row) => row.digest)}::text[]) as h (id, rows_digest, previous_digest, digest)
    where p.developer_id = ${developerId} and p.id = h.id and p.digest is null`.execute(handle);
}

/**
 * Seals statements after the close, so that it holds a month no longer than it takes to add it up. The rows of a closed month
 * never change: a seal is the same whenever it is made, and however often it is tried.
 */
export class Seals {
  readonly #db: PayoutsDb;

  constructor({ db }: { db: PayoutsDb }) {
    this.#db = db;
  }

  /** Seals what a developer's closes have left, of one partnership or of all: the earliest month first, because each seal covers the one before. */
  async seal(developerId: string, partnershipId: string | null = null): Promise<void> {
    const months = await this.#db
      .selectFrom('payouts')
      .select('month')
      .distinct()
      .where('developer_id', '=', developerId)
      .where('digest', 'is', null)
      .$if(partnershipId !== null, (all) => all.where('partnership_id', '=', partnershipId as string))
      .orderBy('month')
      .execute();
    // repeated after a conflict with a process that announces the same statements
    for (const { month } of months)
      await this.#db.work({ tx: true }, (tx) => sealMonth(tx, developerId, partnershipId, month));
  }
}
