import type pg from 'pg';
import type { SpreadOf } from '../citus/spread.ts';
import { sqlOf } from '../database.ts';
import { tenantTables } from './catalog.ts';
import { clearAway, convertTable, prepare, tidy } from './convert.ts';
import { nameIndexes } from './index-names.ts';
import { partitionCount } from './mark.ts';

/**
 * After migrations, which are written for whole tables: where every table of accounts has partitions, new ones get them, and indexes of
 * partitions the names of their parents'. @returns the tables that got partitions
 */
export async function settlePartitions(client: pg.ClientBase, spread: SpreadOf): Promise<string[]> {
  const sql = sqlOf(client);
  const by = await partitionCount(sql);
  // while a run has not come to its end, new tables wait for it
  const whole = by === 0 ? [] : (await tenantTables(sql, spread)).filter(({ partitions }) => partitions === 0);
  const [first] = whole;
  if (first) {
    await client.query('set search_path = public');
    await prepare(client, { by, owner: first.owner });
    await tidy(client);
    for (const table of whole) await convertTable(client, table, { by });
    await clearAway(client);
  }
  await nameIndexes(client);
  return whole.map(({ name }) => name);
}
