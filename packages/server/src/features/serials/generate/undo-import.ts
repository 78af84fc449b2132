import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import { tables } from '../tables.ts';

// Takes an import back. The import decides which of its serials may be deleted.

/** The import, and when it began. */
export interface TakenBack {
  developerId: string;
  importId: string;
  since: Date;
}

/** Holds the serials `s` of a query of `s.id` until the transaction ends, in the order in which everybody takes them. */
export async function holdSerials(handle: Sql, ids: RawBuilder<unknown>, { developerId }: TakenBack): Promise<void> {
  await sql`
    select count(*) from (
      select s.id from serials s where s.developer_id = ${developerId} and s.id in (${ids}) order by s.id for update) held`.execute(
    tables.in(handle),
  );
}

/**
 * Puts serials back into stock that an import gave to customers: as they were before it.
 * @param which of serials `s` and redemptions `r`
 * @returns how many
 */
export async function returnToStock(
  handle: Sql,
  { developerId, since }: TakenBack,
  which: RawBuilder<boolean>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update serials s set customer_id = null, redeemed_at = null, download_count = 0,
      revoked_at = case when s.revoked_at < ${since} then s.revoked_at end
    from redemptions r
    where s.developer_id = ${developerId} and r.developer_id = ${developerId}
      and ${ownMatch('r.serial_id', 's.id')} and ${which}`.execute(tables.in(handle));
  return Number(numAffectedRows ?? 0);
}

/**
 * Deletes serials that an import brought, and its batches that are empty then. The others are as large as what is left of them.
 * @param which of serials `s`
 * @returns how many serials
 */
export async function deleteImported(
  handle: Sql,
  { developerId, importId }: TakenBack,
  which: RawBuilder<boolean>,
): Promise<number> {
  const own = tables.in(handle);
  const { numAffectedRows } = await sql`
    delete from serials s using batches b
    where s.developer_id = ${developerId} and b.developer_id = ${developerId} and ${ownMatch('b.id', 's.batch_id')}
      and b.import_id = ${importId}::uuid and ${which}`.execute(own);
  const left = sql`(select count(*) from serials s where s.developer_id = ${developerId} and s.batch_id = b.id)`;
  await sql`
    delete from batches b where b.developer_id = ${developerId} and b.import_id = ${importId}::uuid and ${left} = 0`.execute(
    own,
  );
  await sql`
    update batches b set quantity = ${left} where b.developer_id = ${developerId} and b.import_id = ${importId}::uuid`.execute(
    own,
  );
  return Number(numAffectedRows ?? 0);
}
