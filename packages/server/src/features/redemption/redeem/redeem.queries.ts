import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Begins } from '#platform/db/handle.ts';
import type { Tables } from '#platform/db/tables.ts';
import { acrossTenants, joinOwn, joinShared, leftJoinOwn } from '#platform/db/tenant.ts';
import { tables } from '../tables.ts';

/** Serials with what decides whether they can be redeemed. */
const selectFound = (begin: Begins<Tables, never>) =>
  begin
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .$call(joinShared('users as u', 'u.id', 's.developer_id'))
    .$call(leftJoinOwn('customers as c', 'c.id', 's.customer_id'))
    .select(['s.id', 's.developer_id', 'b.product_id', 's.code', 's.revoked_at', 's.redeemed_at'])
    .select(['b.promo_start', 'b.expires_at', 'p.is_draft', 'u.time_zone', 'c.email_key as owner_email_key'])
    .select(sql<boolean>`p.deleted_at is not null`.as('product_deleted'))
    .select(sql<boolean>`u.deleted_at is not null`.as('developer_deleted'));

/** Finds at most two serials with a code, those that can be redeemed or opened first. */
const selectByCode = (begin: Begins<Tables, never>, codeKey: string) =>
  selectFound(begin)
    .where('s.code_key', '=', codeKey)
    .orderBy(sql`u.deleted_at is not null and s.redeemed_at is null`)
    .limit(2);

const byCode = tables.named('by_code', (begin, codeKey: string) =>
  selectByCode(begin, codeKey).modifyEnd(acrossTenants('a code may be all that a customer has')),
);
const byCodeOf = tables.named('by_code_of', (begin, codeKey: string, developerId: string) =>
  selectByCode(begin, codeKey).where('s.developer_id', '=', developerId),
);
const byId = tables.named('by_id', (begin, developerId: string, id: string) =>
  selectFound(begin).where('s.developer_id', '=', developerId).where('s.id', '=', id),
);

export type FoundSerial = Awaited<ReturnType<typeof byId>>[number];

/** Finds at most two serials: more than one means that the code alone does not identify a serial. */
export function findByCode(handle: Sql, codeKey: string, developerId: string | null): Promise<FoundSerial[]> {
  return developerId === null ? byCode(handle, codeKey) : byCodeOf(handle, codeKey, developerId);
}

export async function findById(handle: Sql, developerId: string, id: string): Promise<FoundSerial | undefined> {
  return (await byId(handle, developerId, id))[0];
}
