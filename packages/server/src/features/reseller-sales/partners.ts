import { sql } from 'kysely';
import { nameOrClosed } from '#features/accounts';
import { acrossTenants } from '#platform/db/tenant.ts';

/**
 * The beginning of a WITH: the partnerships `linked` of a reseller, whatever their status: what was earned stays readable. One that
 * has become part of another has it as its `home`; both have the same `family`. Statements that begin with it read the rows of many
 * developers, each by its own key.
 */
export const partnersOf = (resellerId: string) => sql`${acrossTenants('a reseller sells for several developers')}
  with linked as materialized (
    select t.developer_id, t.id, t.status, t.commission_bps, ${nameOrClosed('u')} as developer_name,
      u.deleted_at is null as open, coalesce(z.time_zone, 'UTC') as time_zone,
      coalesce(t.merged_into, t.id) as home, array_agg(t.id) over (partition by t.developer_id, coalesce(t.merged_into, t.id)) as family
    from partnerships t join users u on u.id = t.developer_id
      left join partner_calendars z on (z.developer_id, z.partnership_id) = (t.developer_id, t.id)
    where t.reseller_id = ${resellerId}::uuid
  )`;
