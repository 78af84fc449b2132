import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { tables } from './tables.ts';

/**
 * Deletes the resellers that an import named first, unless something else names them, or anybody has dealt with them since. Refunds and
 * statements are of redemptions, and what a reseller draws or asks for needs an account behind the name.
 */
export async function deleteImportedResellers(
  handle: Sql,
  { developerId, importId }: { developerId: string; importId: string },
): Promise<void> {
  const invited = await tables
    .in(handle)
    .selectFrom('invites')
    .select('partnership_id as id')
    .where('inviter_id', '=', developerId)
    .where('partnership_id', 'is not', null)
    .execute();
  const own = sql`x.developer_id = ${developerId} and x.partnership_id = p.id`;
  await sql`
    delete from partnerships p
    where p.developer_id = ${developerId} and p.import_id = ${importId}::uuid and p.status = 'named'
      and p.low_stock_threshold is null
      and not exists (select 1 from batches x where ${own})
      and not exists (select 1 from redemptions x where ${own})
      and not exists (select 1 from partnership_events x where ${own})
      and p.id <> all(${invited.map(({ id }) => id)}::uuid[])
      and not exists (select 1 from partnerships x where x.developer_id = ${developerId} and x.merged_into = p.id)`.execute(
    tables.in(handle),
  );
}
