import type pg from 'pg';
import { sqlOf } from '../database.ts';
import { quoted } from '../statements/identifiers.ts';
import { withBriefLocks } from './brief-locks.ts';
import { applyNotes, beginCapture, CAPTURE, catchUp, copyRows, endCapture, stagedOf } from './capture.ts';
import { type Shape, shapeOf, type TenantTable } from './catalog.ts';
import { addUnvalidated, createLaterTable, validateForeignKeys } from './foreign-keys.ts';
import { nameIndexes } from './index-names.ts';
import { partitionSchema, WORKSHOP } from './names.ts';
import { together } from './together.ts';

/** The step of a run within a table. */
export type Step = 'noting' | 'copied' | 'indexed' | 'current' | 'swapped' | 'validated';

export interface Converting {
  /** How many partitions. */
  by: number;
  /** Called after each step. */
  onStep?: (table: string, step: Step) => Promise<void> | void;
  /** Somebody holds on to the table. @param attempt of taking its place */
  onWait?: (table: string, attempt: number) => void;
}

export interface Converted {
  rows: number;
  /** How long others could not use the table, in milliseconds. */
  waited: number;
}

/** Makes everything that a run needs beside the tables. The client acts as their owner from here on. */
export async function prepare(client: pg.ClientBase, { by, owner }: { by: number; owner: string }): Promise<void> {
  const schemas = [WORKSHOP, ...Array.from({ length: by }, (_, remainder) => partitionSchema(remainder))];
  for (const schema of schemas)
    await client.query(`create schema if not exists ${schema} authorization ${quoted(owner)}`);
  await client.query(`set role ${quoted(owner)}`);
  await client.query(createLaterTable);
}

/** Takes away what a run has left of a table that it did not finish: notes, and half a copy. */
export async function dropHalf(client: pg.ClientBase): Promise<void> {
  const sql = sqlOf(client);
  const noted = await sql.query<{ name: string }>(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = $1 and c.relnamespace = 'public'::regnamespace order by 1`,
    [CAPTURE],
  );
  for (const { name } of noted)
    await withBriefLocks(client, { tables: [name], mode: 'access exclusive' }, () => endCapture(client, name));
  const staged = await sql.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = to_regnamespace($1) order by 1`,
    [WORKSHOP],
  );
  for (const { name } of staged) await client.query(`drop table ${stagedOf(name)}`);
}

/** Finishes or takes away what a run has left that was stopped: each table is whole, or has its partitions. */
export async function tidy(client: pg.ClientBase): Promise<void> {
  await dropHalf(client);
  const sql = sqlOf(client);
  const [workshop] = await sql.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${WORKSHOP}.later`,
  ]);
  if (workshop?.there) await validateForeignKeys(client);
}

/** Cleans up at the end of a run. */
export async function clearAway(client: pg.ClientBase): Promise<void> {
  await tidy(client);
  await client.query(`drop schema if exists ${WORKSHOP} cascade`);
}

/**
 * Gives a table partitions while it is in use. Its rows are copied beside it, what changes meanwhile is noted and brought up to date, and
 * the copy takes its place in one transaction, for which alone others wait. Killed at any point, one or the other is whole.
 * @param client reads `public` alone by names without a schema.
 */
export async function convertTable(client: pg.ClientBase, table: TenantTable, run: Converting): Promise<Converted> {
  const { name } = table;
  const step = async (done: Step) => run.onStep?.(name, done);
  const shape = await shapeOf(sqlOf(client), name);
  await stage(client, name, shape, run.by);
  await beginCapture(client, table);
  await step('noting');
  const rows = await copyRows(client, table);
  await step('copied');
  await index(client, name, shape);
  await step('indexed');
  // for the first plans, and for reading by index alone
  if (rows > 0) await client.query(`vacuum (analyze) ${stagedOf(name)}`);
  await catchUp(client, table);
  await step('current');
  const waited = await swap(client, table, shape, run);
  await step('swapped');
  await validateForeignKeys(client);
  await step('validated');
  return { rows, waited };
}

async function stage(client: pg.ClientBase, name: string, { options, grants }: Shape, by: number): Promise<void> {
  const parts = Array.from({ length: by }, (_, remainder) => `${partitionSchema(remainder)}.${quoted(name)}`);
  const made = parts.map(
    (part, remainder) =>
      `create table ${part} partition of ${stagedOf(name)} for values with (modulus ${by}, remainder ${remainder})${
        options.length > 0 ? ` with (${options.join(', ')})` : ''
      }`,
  );
  await together(client, [
    `create table ${stagedOf(name)} (like public.${quoted(name)} including all excluding indexes) partition by hash (developer_id)`,
    ...made,
    ...grants.map((grant) => onStaged(grant, name)),
  ]);
}

async function index(client: pg.ClientBase, name: string, { keys, indexes }: Shape): Promise<void> {
  await together(client, [
    ...keys.map((key) => `alter table ${stagedOf(name)} add constraint ${quoted(key.name)} ${key.definition}`),
    ...indexes.map((definition) => onStaged(definition, name)),
  ]);
  await nameIndexes(client, stagedOf(name));
}

async function swap(
  client: pg.ClientBase,
  table: TenantTable,
  { triggers, outward, inward }: Shape,
  { by, onWait }: Converting,
): Promise<number> {
  const { name } = table;
  const version = await versionOf(client);
  const tables = [name, ...outward.map(({ to }) => to), ...inward.map((key) => key.table)];
  const between = async (attempt: number) => {
    onWait?.(name, attempt);
    await catchUp(client, table);
  };
  const { waited } = await withBriefLocks(client, { tables, mode: 'access exclusive', between }, async () => {
    await applyNotes(client, table);
    await endCapture(client, name);
    const own = outward.map((key) => ({ ...key, partitioned: true }));
    await together(client, [
      ...inward.map((key) => `alter table public.${quoted(key.table)} drop constraint ${quoted(key.name)}`),
      `drop table public.${quoted(name)}`,
      `alter table ${stagedOf(name)} set schema public`,
      ...triggers,
      ...[...own, ...inward].flatMap((key) => addUnvalidated(key, { by, version })),
    ]);
  });
  return waited;
}

/** A statement on a table of `public`, as PostgreSQL writes it, on its copy. */
function onStaged(statement: string, name: string): string {
  const on = [quoted(name), name].map((each) => `public.${each}`);
  const found = on.find((each) => statement.includes(` ${each} `));
  if (!found) throw new Error(`not a statement on ${name}: ${statement}`);
  return statement
    .replace(` on ${found} `, ` on ${stagedOf(name)} `)
    .replace(` ON ${found} `, ` ON ${stagedOf(name)} `);
}

export async function versionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return rows[0]?.version ?? 0;
}
