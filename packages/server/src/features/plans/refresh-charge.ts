import type { Sql } from '../../platform/db/database.ts';
import { planOf } from './plans.ts';

/**
 * Notes that a download count was set back, at the price of the account's plan: its overage price, nothing on a plan
 * without overage. In the transaction that sets it back.
 * @returns the cost in cents.
 */
export async function chargeRefresh(
  sql: Sql,
  charge: { id: string; developerId: string; serialId: string; now: Date },
): Promise<number> {
  const [account] = await sql.query<{ plan: string }>('select plan from users where id = $1', [charge.developerId]);
  const plan = planOf(account?.plan ?? 'free');
  const cost = plan.overageCents ?? 0;
  await sql.query(
    `insert into refresh_charges (id, developer_id, serial_id, refreshed_at, plan, cost_cents)
     values ($1, $2, $3, $4, $5, $6)`,
    [charge.id, charge.developerId, charge.serialId, charge.now, plan.slug, cost],
  );
  return cost;
}
