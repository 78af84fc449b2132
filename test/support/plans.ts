import type { Sql } from '../../packages/server/src/platform/db/database.ts';

interface Choice {
  plan: 'free' | 'creator' | 'pro' | 'elite';
  /** All accounts when absent. */
  accountId?: string;
  /** When they chose it; when they registered, when absent. */
  at?: Date;
}

/** Puts accounts on a plan, with its history, past the call that would do it. */
export async function setPlan(sql: Sql, { plan, accountId, at }: Choice): Promise<void> {
  const params = [plan, accountId ?? null];
  await sql.query(
    `insert into plan_changes (developer_id, id, from_plan, to_plan, changed_at, changed_by)
     select id, gen_random_uuid(), plan, $1, coalesce($3, created_at), id from users where $2::uuid is null or id = $2`,
    [...params, at ?? null],
  );
  await sql.query(
    'update usage_months set plan = $1 where closed_at is null and ($2::uuid is null or developer_id = $2)',
    params,
  );
  await sql.query('update users set plan = $1 where $2::uuid is null or id = $2', params);
}
