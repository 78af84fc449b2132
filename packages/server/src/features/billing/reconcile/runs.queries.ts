import type { Sql } from '#platform/db/database.ts';

export interface Run {
  ran_at: Date;
  compared: number;
  differences: number;
  error: string | null;
}

export async function saveRun(sql: Sql, id: string, { ran_at, compared, differences, error }: Run): Promise<void> {
  await sql.query(
    'insert into billing_reconciliations (id, ran_at, compared, differences, error) values ($1, $2, $3, $4, $5)',
    [id, ran_at, compared, differences, error],
  );
}

/** The newest, and the newest that came to its end. */
export async function lastRuns(sql: Sql): Promise<{ last: Run | null; finished: Run | null }> {
  const newest = async (condition: string): Promise<Run | null> =>
    (
      await sql.query<Run>(
        `select ran_at, compared, differences, error from billing_reconciliations where ${condition} order by ran_at desc limit 1`,
      )
    )[0] ?? null;
  const last = await newest('true');
  return { last, finished: last?.error === null ? last : await newest('error is null') };
}

export async function forgetRuns(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from billing_reconciliations where ran_at < $1', [before]);
}
