import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/db/database.ts';

/** In the transaction that deletes an account of either role: ends its partnerships. The rows stay, for the ledger. */
export async function endAllOf(sql: Sql, clock: Clock, userId: string): Promise<void> {
  const partnerships = await sql.query<{ developer_id: string; id: string }>(
    `/* across tenants: a reseller works with many developers */
     select developer_id, id from partnerships
     where (developer_id = $1 or reseller_id = $1) and status not in ('named', 'ended')`,
    [userId],
  );
  for (const { developer_id, id } of partnerships) {
    await sql.query(
      `update partnerships set status = 'ended', ended_at = $3
       where developer_id = $1 and id = $2 and status <> 'ended'`,
      [developer_id, id, clock.now()],
    );
  }
}
