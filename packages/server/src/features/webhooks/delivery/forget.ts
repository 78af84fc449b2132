import type { Sql } from '../../../platform/db/database.ts';
import { listOf } from '../../../platform/db/list-index.ts';
import type { ForgottenPerson } from '../../../platform/feature.ts';
import { recallWorkers } from './wake.ts';

/** Erases what is personal of the events about a customer, and what receivers answered to them. */
export async function forgetPerson(sql: Sql, { developerId, customerId }: ForgottenPerson): Promise<void> {
  await sql.query(
    `with about as (
       update webhook_events e set personal = null
       where e.developer_id = $1 and ${listOf('e', 'occurred_at')} and $2::uuid = any(e.object_ids) and e.personal is not null
       returning e.developer_id, e.id
     ), sent as (
       update webhook_deliveries d set response_text = null from about
       where (d.developer_id, d.event_id) = (about.developer_id, about.id) returning d.developer_id, d.id
     )
     update webhook_attempts a set response_text = null from sent
     where (a.developer_id, a.delivery_id) = (sent.developer_id, sent.id) and a.response_text is not null`,
    [developerId, customerId],
  );
  await recallWorkers(sql);
}
