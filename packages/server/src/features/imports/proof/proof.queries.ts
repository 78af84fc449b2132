import { sql } from 'kysely';
import { broughtCustomers } from '#features/customers';
import { broughtBy } from '#features/redemption';
import { ownJoin } from '#platform/db/tenant.ts';
import type { ImportsHandle } from '../tables.ts';
import type { Taken } from '../undo/built-on.ts';
import type { Here } from './proof.ts';

/** What an import has brought that is here now. Sales count at their original price; refunds are of a later day. */
export async function hereNow(handle: ImportsHandle, taken: Taken, timeZone: string): Promise<Here> {
  const { developerId, importId, kind } = taken;
  if (kind === 'customers') {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from customers c where ${broughtCustomers(taken)}`.execute(handle);
    return { count: rows[0]?.n ?? 0, months: [], open: 0, redeemed: 0, revoked: 0 };
  }
  if (kind === 'available') {
    const { rows } = await sql<Omit<Here, 'months'>>`
      select count(*)::int as count, count(*) filter (where s.redeemed_at is null and s.revoked_at is null)::int as open,
        count(*) filter (where s.redeemed_at is not null)::int as redeemed,
        count(*) filter (where s.revoked_at is not null)::int as revoked
      from batches b ${ownJoin('serials as s', 's.batch_id', 'b.id')}
      where b.developer_id = ${developerId} and s.developer_id = ${developerId} and b.import_id = ${importId}::uuid`.execute(
      handle,
    );
    return { count: 0, open: 0, redeemed: 0, revoked: 0, ...rows[0], months: [] };
  }
  const { rows } = await sql<{ month: string; count: number; cents: number; revoked: number }>`
    select to_char(r.redeemed_at at time zone ${timeZone}, 'YYYY-MM') as month, count(*)::int as count,
      sum(r.final_price_cents)::bigint as cents, count(*) filter (where s.revoked_at is not null)::int as revoked
    from redemptions r ${ownJoin('serials as s', 's.id', 'r.serial_id')}
    where ${broughtBy(taken)} and s.developer_id = ${developerId} group by 1 order by 1`.execute(handle);
  const months = rows.map(({ month, count, cents }) => ({ month, count, cents }));
  const count = months.reduce((sum, each) => sum + each.count, 0);
  return { count, months, open: 0, redeemed: count, revoked: rows.reduce((sum, each) => sum + each.revoked, 0) };
}
