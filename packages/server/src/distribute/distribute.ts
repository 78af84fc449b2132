import {
  FIRST_TENANT_TABLE,
  misplacedTables,
  SCHEMA_SETTINGS,
  type Spread,
  type SpreadOf,
  spreadTable,
} from '#platform/db/citus/spread.ts';
import type { Sql } from '#platform/db/database.ts';
import { tablesInOrder } from '#platform/db/schema/tables-in-order.ts';
import { quoted } from '#platform/db/statements/identifiers.ts';
import { StartupError } from '#platform/errors.ts';
import { readNodes } from './cluster-checks.ts';

interface Address {
  host: string;
  port: number;
}

interface Options {
  spread: SpreadOf;
  /** The address where the workers reach the coordinator; undefined when it is registered. */
  coordinator: Address | undefined;
  /** The number of parts that the accounts are divided into. Undefined: Citus’ own number. */
  shards: number | undefined;
  report: (line: string) => void;
}

export const PLACES: Record<Spread, string> = {
  tenant: 'distributed by account',
  reference: 'on every machine',
  local: 'on the coordinator',
};

/** Tables still to be made what they should be, in the order in which that can be done. */
export async function tablesToSpread(sql: Sql, spread: SpreadOf) {
  const wrong = new Map((await misplacedTables(sql, spread)).map((each) => [each.name, each]));
  const sorted = (await tablesInOrder(sql)).flatMap(({ name }) => wrong.get(name) ?? []);
  const reference = sorted.filter(({ should }) => should === 'reference');
  const tenant = sorted.filter(({ should }) => should === 'tenant');
  // the others are kept beside its rows
  const first = tenant.filter(({ name }) => name === FIRST_TENANT_TABLE);
  return [...reference, ...first, ...tenant.filter((each) => !first.includes(each))];
}

/**
 * Makes every table what it should be, each in a transaction of its own: what is done is done, and the rest is left for the next
 * run. A table’s rows move with it.
 */
export async function distribute(sql: Sql, options: Options): Promise<number> {
  const { spread, shards, report } = options;
  for (const setting of SCHEMA_SETTINGS) await sql.query(setting);
  if (shards !== undefined) await sql.query(`set citus.shard_count = ${shards}`);
  const left = await tablesToSpread(sql, spread);
  const coordinator = await registeredCoordinator(sql);
  // once it is registered, Citus takes every table that refers to a reference table for its own, and then distributes none of them
  if (coordinator && left.some(({ should }) => should === 'reference')) {
    await sql.query('select citus_remove_node($1, $2)', [coordinator.host, coordinator.port]);
  }
  for (const { name, should } of left) {
    await spreadTable(sql, name, should);
    report(`${name}: ${PLACES[should]}`);
  }
  await registerCoordinator(sql, options.coordinator ?? coordinator);
  await sql.query("select replicate_reference_tables('block_writes')");
  await adoptLocalTables(sql);
  await dropLocalRows(sql, spread);
  const wrong = await misplacedTables(sql, spread);
  if (wrong.length > 0) {
    throw new StartupError(
      `Not all tables are what they should be: ${wrong.map(({ name, should, is }) => `${name} is ${is}, and should be ${should}`).join('; ')}.`,
    );
  }
  return left.length;
}

async function registeredCoordinator(sql: Sql): Promise<Address | undefined> {
  const registered = (await readNodes(sql)).find(({ coordinator }) => coordinator);
  return registered && { host: registered.name, port: registered.port };
}

/** Local tables are joined with reference tables where they are: on the coordinator, which then has those too. */
async function registerCoordinator(sql: Sql, address: Address | undefined): Promise<void> {
  const registered = await registeredCoordinator(sql);
  if (registered && (!address || (registered.host === address.host && registered.port === address.port))) return;
  if (!address) throw new StartupError(NO_COORDINATOR);
  await sql.query('select citus_set_coordinator_host($1, $2)', [address.host, address.port]);
}

export const NO_COORDINATOR =
  'The workers have to know where the coordinator is. Add --coordinator HOST:PORT, as they reach it.';

/** Tables of the coordinator that refer to reference tables are joined with them in updates, and lose rows with theirs. */
async function adoptLocalTables(sql: Sql): Promise<void> {
  for (let next = await unadoptedTable(sql); next !== undefined; next = await unadoptedTable(sql)) {
    await sql.query('select citus_add_local_table_to_metadata($1::regclass, cascade_via_foreign_keys => true)', [next]);
  }
}

async function unadoptedTable(sql: Sql): Promise<string | undefined> {
  const [found] = await sql.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_dist_partition p on p.logicalrelid = k.confrelid and p.partmethod = 'n'
     where k.contype = 'f' and c.relnamespace = 'public'::regnamespace
       and not exists (select 1 from pg_dist_partition o where o.logicalrelid = c.oid)
     order by name limit 1`,
  );
  return found?.name;
}

/** Whether nothing is left to do. */
export async function isFinished(sql: Sql, spread: SpreadOf): Promise<boolean> {
  const left = await misplacedTables(sql, spread);
  return (
    left.length === 0 && (await registeredCoordinator(sql)) !== undefined && (await unadoptedTable(sql)) === undefined
  );
}

/** Drops rows that were on the coordinator before their table was distributed. They stay there, unseen, until then. */
async function dropLocalRows(sql: Sql, spread: SpreadOf): Promise<void> {
  const sorted = (await tablesInOrder(sql)).map(({ name }) => name).toReversed();
  for (const name of sorted.filter((each) => spread[each] !== 'local')) {
    const [size] = await sql.query<{ bytes: number }>('select pg_relation_size($1::regclass) as bytes', [quoted(name)]);
    if (size && size.bytes > 0)
      await sql.query('select truncate_local_data_after_distributing_table($1::regclass)', [quoted(name)]);
  }
}
