import type pg from 'pg';

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  /** A table that it reads; undefined: it works on what others have read. */
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

function rowsOf(node: PlanNode): number {
  const each = node['Relation Name'] ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0;
  return each * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
}

/** How many rows of tables a statement reads, one as often as it is read. What it writes is taken back. */
export async function rowsRead(db: pg.Client, text: string, values: readonly unknown[] = []): Promise<number> {
  await db.query('begin');
  try {
    const { rows } = await db.query(`explain (analyze, timing off, format json) ${text}`, values as unknown[]);
    return rowsOf(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await db.query('rollback');
  }
}
