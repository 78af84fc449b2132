import { sql } from 'kysely';
import { DOWNLOAD_LIMIT } from '#features/serials';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { type Proven, pairsOf } from '../downloads/proven.ts';
import type { RedemptionHandle } from '../tables.ts';

interface Asker extends Columns<'serials', 'code'>, Columns<'customers', 'email'> {
  developerId: string;
  serialId: string;
  product: string;
  name: string | null;
  /** Such as `5/5`, or that the serial is revoked. */
  downloads: string;
  closed: boolean;
}

/** One of the proven serials, and its owner. */
export async function findAsker(handle: RedemptionHandle, proven: Proven, codeKey: string): Promise<Asker | undefined> {
  const { rows } = await sql<Omit<Asker, 'downloads'> & { count: number; revoked: boolean }>`
    select s.developer_id as "developerId", s.id as "serialId", p.name as product, s.code, c.email,
      nullif(concat_ws(' ', c.first_name, c.last_name), '') as name, s.download_count as count,
      s.revoked_at is not null as revoked, u.deleted_at is not null as closed
    from ${pairsOf(proven)} as proven (developer_id, id)
      ${ownJoin('serials as s', 's.id', 'proven.id')}
      ${ownJoin('batches as b', 'b.id', 's.batch_id')}
      ${ownJoin('products as p', 'p.id', 'b.product_id')}
      ${ownJoin('customers as c', 'c.id', 's.customer_id')}
      join users u on u.id = s.developer_id
    where s.developer_id = any(${Object.keys(proven)}::uuid[]) and s.code_key = ${codeKey} and c.erased_at is null
    limit 1`.execute(handle);
  const [row] = rows;
  if (!row) return undefined;
  const { count, revoked, ...rest } = row;
  return { ...rest, downloads: revoked ? 'Revoked' : `${count}/${DOWNLOAD_LIMIT}` };
}
