import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import type { ErasedPerson } from '#platform/feature.ts';
import { tables } from '../tables.ts';
import { recallWorkers } from './wake.ts';

/** Erases what is personal of the events about a customer, and what receivers answered to them. */
export async function erasePerson(handle: Sql, { developerId, customerId }: ErasedPerson): Promise<void> {
  const tx = tables.in(handle);
  const { rows: sent } = await sql<Columns<'webhook_deliveries', 'id'>>`
    with about as (
      update webhook_events e set personal = null
      where e.developer_id = ${developerId} and ${inList('e.occurred_at')} and ${customerId}::uuid = any(e.object_ids)
        and e.personal is not null
      returning e.developer_id, e.id
    )
    update webhook_deliveries d set response_headers = null, response_text = null from about
    where d.developer_id = ${developerId} and ${ownMatch('d.event_id', 'about.id')}
    returning d.id`.execute(tx);
  // in a statement of its own, which sees the attempts that were noted while the first one waited for their deliveries
  await tx
    .updateTable('webhook_attempts')
    .set({ response_headers: null, response_text: null })
    .where('developer_id', '=', developerId)
    .where('delivery_id', '=', sql<string>`any(${sent.map(({ id }) => id)}::uuid[])`)
    .execute();
  await recallWorkers(tx);
}
