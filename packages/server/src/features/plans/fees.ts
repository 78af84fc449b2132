import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { type Plan, planOf } from './plans.ts';
import { tables } from './tables.ts';

/** A month in which an account changed its plan. */
export interface PlanMonth {
  /** Its first day. */
  month: string;
  /** Every plan that it changed to. */
  plans: string[];
  /** The last one of them. */
  last: string;
}

/** The months in which an account changed its plan, the earliest first. */
export async function planMonths(handle: Sql, developerId: string): Promise<PlanMonth[]> {
  return (await planMonthsOf(handle, [developerId])).get(developerId) ?? [];
}

/** The same of several accounts, by account; without those that never changed it. */
export async function planMonthsOf(handle: Sql, developerIds: readonly string[]): Promise<Map<string, PlanMonth[]>> {
  const { rows } = await sql<PlanMonth & Columns<'plan_changes', 'developer_id'>>`
    select developer_id, date_trunc('month', changed_at at time zone 'UTC')::date as month, array_agg(distinct to_plan) as plans,
      (array_agg(to_plan order by changed_at desc, id desc))[1] as last
    from plan_changes where developer_id = any(${developerIds}::uuid[]) group by 1, 2 order by 1, 2`.execute(
    tables.in(handle),
  );
  const changes = Map.groupBy(rows, ({ developer_id }) => developer_id);
  return new Map([...changes].map(([id, own]) => [id, own.map(({ month, plans, last }) => ({ month, plans, last }))]));
}

/** The plan that was held when a month began. Everybody starts on the free one. */
export function planAtStart(changes: readonly PlanMonth[], month: string): string {
  return changes.filter((change) => change.month < month).at(-1)?.last ?? 'free';
}

/** The plan that was held when a month ended, or that is held now. */
export function planAtEnd(changes: readonly PlanMonth[], month: string): string {
  return changes.filter((change) => change.month <= month).at(-1)?.last ?? 'free';
}

/** The dearest plan that was held in a month. */
export function dearestPlan(changes: readonly PlanMonth[], month: string): Plan {
  const within = changes.find((change) => change.month === month)?.plans ?? [];
  const held = [planAtStart(changes, month), ...within].map(planOf);
  return held.reduce((dearest, plan) => (plan.priceCents > dearest.priceCents ? plan : dearest));
}

/** The fee of a month besides its usage, in cents: that of the most expensive plan held in it. */
export function feeOf(changes: readonly PlanMonth[], month: string): number {
  return dearestPlan(changes, month).priceCents;
}
