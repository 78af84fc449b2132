import { accountNameOrClosed } from '../accounts/index.ts';

/**
 * The partnerships of the reseller in $1, whatever their status: what was earned stays readable. Statements that begin with
 * it read the rows of many developers, each by its own key.
 */
export const PARTNERS = `/* across tenants: a reseller works with many developers */
  with linked as materialized (
    select t.developer_id, t.id, t.status, t.commission_bps, ${accountNameOrClosed('u')} as developer_name,
      u.deleted_at is null as open, coalesce(z.time_zone, 'UTC') as time_zone
    from partnerships t join users u on u.id = t.developer_id
      left join partner_calendars z on (z.developer_id, z.partnership_id) = (t.developer_id, t.id)
    where t.reseller_id = $1
  )`;
