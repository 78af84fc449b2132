import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { ForgottenPerson } from '#platform/feature.ts';
import { recallWorkers } from './wake.ts';

/** Erases what is personal of the events about a customer, and what receivers answered to them. */
export async function forgetPerson(sql: Sql, { developerId, customerId }: ForgottenPerson): Promise<void> {
  const sent = await sql.query<{ id: string }>(
    `with about as (
       update webhook_events e set personal = null
       where e.developer_id = $1 and ${listOf('e', 'occurred_at')} and $2::uuid = any(e.object_ids) and e.personal is not null
       returning e.developer_id, e.id
     )
     update webhook_deliveries d set response_headers = null, response_text = null from about
     where (d.developer_id, d.event_id) = (about.developer_id, about.id) returning d.id`,
    [developerId, customerId],
  );
  // in a statement of its own, which sees the attempts that were noted while the first one waited for their deliveries
  await sql.query(
    `update webhook_attempts a set response_headers = null, response_text = null
     where a.developer_id = $1 and a.delivery_id = any($2::uuid[])`,
    [developerId, sent.map(({ id }) => id)],
  );
  await recallWorkers(sql);
}
