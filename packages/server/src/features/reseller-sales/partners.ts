import { sql } from 'kysely';
import { nameOrClosed } from '#features/accounts';
import { developersOf } from '#features/partnerships';
import type { Sql } from '#platform/db/database.ts';
import { ofTenants, ownLeftJoin } from '#platform/db/tenant.ts';

/** A reseller, and the developers that they sell or have sold for. */
export interface Seller {
  resellerId: string;
  developers: readonly string[];
}

export const sellerOf = async (handle: Sql, resellerId: string): Promise<Seller> => ({
  resellerId,
  developers: await developersOf(handle, resellerId),
});

const partnershipsOf = ({ resellerId, developers }: Seller) => sql`
    select t.developer_id, t.id, t.status, t.commission_bps, ${nameOrClosed('u')} as developer_name,
      u.deleted_at is null as open, coalesce(z.time_zone, 'UTC') as time_zone,
      coalesce(t.merged_into, t.id) as home, array_agg(t.id) over (partition by t.developer_id, coalesce(t.merged_into, t.id)) as family
    from partnerships t join users u on u.id = t.developer_id
      ${ownLeftJoin('partner_calendars as z', 'z.partnership_id', 't.id')}
    where t.reseller_id = ${resellerId}::uuid and ${ofTenants('t', developers)}`;

/**
 * The beginning of a WITH: the partnerships `linked` of a reseller, whatever their status: what was earned stays readable. One that
 * has become part of another has it as its `home`; both have the same `family`. Statements that begin with it read the rows of the
 * reseller's developers, each by its own key.
 */
export const partnersOf = (seller: Seller) => sql`
  with linked as materialized (${partnershipsOf(seller)})`;

/**
 * The same as a relation `t`, for a LATERAL beside it: what a WITH has made is in one place, and many machines would look up rows for
 * it from there, which they refuse.
 */
export const eachPartner = ({ resellerId, developers }: Seller) => sql`(
    select t.developer_id, t.id,
      array_agg(t.id) over (partition by t.developer_id, coalesce(t.merged_into, t.id)) as family
    from partnerships t where t.reseller_id = ${resellerId}::uuid and ${ofTenants('t', developers)}) t`;

/** The same with the time zones that their days are in. */
export const eachInZone = (seller: Seller) => sql`(${partnershipsOf(seller)}) t`;
