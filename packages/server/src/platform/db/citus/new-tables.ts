import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { sqlOf } from '../database.ts';
import { misplacedTables, SCHEMA_SETTINGS, type SpreadOf, spreadTable } from './spread.ts';

const running = new AsyncLocalStorage<SpreadOf>();

/** Runs migrations on a distributed database: a table that one of them makes is spread as soon as it is there. */
export function spreadingNewTables<T>(spread: SpreadOf, migrations: () => Promise<T>): Promise<T> {
  return running.run(spread, migrations);
}

/** Prepares a connection that migrations run on. */
export async function beforeMigrations(client: pg.ClientBase): Promise<void> {
  if (!running.getStore()) return;
  for (const setting of SCHEMA_SETTINGS) await client.query(setting);
}

const NEW_TABLE = /^\s*create table (?:if not exists )?(?:"?public"?\.)?"?(\w+)"?/i;

/** After each statement of a migration: before the foreign keys of a new table, which lead to tables that are spread. */
export async function afterStatement(client: pg.ClientBase, text: string): Promise<void> {
  const spread = running.getStore();
  const [, name] = (spread && NEW_TABLE.exec(text)) ?? [];
  if (!spread || name === undefined) return;
  const sql = sqlOf(client);
  const [wrong] = (await misplacedTables(sql, spread)).filter((each) => each.name === name);
  if (wrong) await spreadTable(sql, name, wrong.should);
}
