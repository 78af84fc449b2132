import { sql } from 'kysely';
import { setPlan } from '#features/accounts';
import { recordAudit } from '#features/audit';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Random } from '#platform/random.ts';
import { monthOf } from '#platform/time/months.ts';
import type { Plan } from './plans.ts';
import { tables } from './tables.ts';
import { holdMonth, monthClosed } from './usage.ts';

/**
 * Switches the account's plan at once: what counts from now on counts by the new one. It takes the month's lock, as
 * whatever counts does, so that each redemption is either before or after it; and the month is there to be closed even
 * when nothing falls into it.
 * @returns the plan until now; the same one when nothing had to change.
 */
export async function switchPlan(
  handle: Sql,
  { clock, random }: { clock: Clock; random: Random },
  { developerId, plan, by }: { developerId: string; plan: Plan['slug']; by: string },
): Promise<string> {
  const tx = tables.in(handle);
  const month = await holdMonth(tx, developerId, clock.now());
  const before = await setPlan(tx, developerId, plan);
  if (before === plan) return before;
  const now = clock.now();
  // it waited for the account into the next month, whose first redemption may have counted by the plan until now
  if (monthOf(now) !== month) throw monthClosed(month);
  await tx
    .updateTable('usage_months')
    .set({ plan })
    .where('developer_id', '=', developerId)
    .where('month', '>=', month)
    .where('closed_at', 'is', null)
    .execute();
  // never at the same moment as the one before: their order decides the plan held
  await sql`insert into plan_changes (developer_id, id, from_plan, to_plan, changed_at, changed_by)
    select ${developerId}::uuid, ${random.id()}::uuid, ${before}, ${plan},
      greatest(${now}::timestamptz, max(changed_at) + interval '1 millisecond'), ${by}::uuid
    from plan_changes where developer_id = ${developerId}`.execute(tx);
  await recordAudit(tx, developerId, { action: 'plan_changed', at: now, detail: `${before} to ${plan}` });
  return before;
}
