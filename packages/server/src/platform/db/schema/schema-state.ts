import { readdir } from 'node:fs/promises';
import { type RawBuilder, sql } from 'kysely';
import { StartupError, sqlState } from '#platform/errors.ts';
import { tables } from '#platform/tables.ts';
import type { Sql } from '../database.ts';
import { type Origin, originOf, refusalOf } from './origin.ts';

const NO_SUCH_TABLE = '42P01';

/** How the schema of a database compares to what this build expects. */
export interface SchemaState {
  /** Migrations that have not run yet. */
  pending: string[];
  /** Migrations unknown to this build and incompatible with it: another version ran them. */
  unknown: string[];
  /** Unknown ones that declare themselves safe for the release before. */
  rolling: string[];
  /** Which version ran the unknown ones, as far as the list shows. */
  origin: Origin;
}

/**
 * Compares the migrations that ran with the files of this build. A migration that older processes are compatible with
 * adds its name to `rolling_migrations`; without that, they stop taking traffic and jobs as soon as they see it.
 */
export async function readSchemaState(handle: Sql, migrationsFolder: string): Promise<SchemaState> {
  const known = await migrationsIn(migrationsFolder);
  const ran = await readMigrations(handle);
  const unknown = ran.filter((name) => !known.includes(name));
  const safe =
    unknown.length > 0 ? new Set(await namesIn(handle, sql`select name from rolling_migrations`)) : new Set();
  return {
    pending: known.filter((name) => !ran.includes(name)),
    unknown: unknown.filter((name) => !safe.has(name)),
    rolling: unknown.filter((name) => safe.has(name)),
    origin: originOf(ran, known),
  };
}

/** The migrations of a build, in their order. */
export async function migrationsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).flatMap((file) => /^(Migration.*)\.ts$/.exec(file)?.[1] ?? []).sort();
}

/** Those that ran on a database: none on an empty one. */
export async function readMigrations(handle: Sql): Promise<string[]> {
  return namesIn(handle, sql`select name from mikro_orm_migrations`);
}

/** @throws {StartupError} when another version has changed the schema in a way that this build would break. */
export function refuseForeignSchema({ unknown, pending, origin }: SchemaState): void {
  if (unknown.length > 0) throw new StartupError(refusalOf(origin, { unknown, pending }));
}

async function namesIn(handle: Sql, query: RawBuilder<{ name: string }>): Promise<string[]> {
  try {
    const { rows } = await query.execute(tables.in(handle));
    return rows.map(({ name }) => name);
  } catch (error) {
    if (sqlState(error) === NO_SUCH_TABLE) return [];
    throw error;
  }
}
