import { readdir } from 'node:fs/promises';
import { type RawBuilder, sql } from 'kysely';
import { StartupError, sqlState } from '#platform/errors.ts';
import { tables } from '#platform/tables.ts';
import type { Sql } from '../database.ts';

const NO_SUCH_TABLE = '42P01';

/** How the schema of a database compares to what this build expects. */
export interface SchemaState {
  /** Migrations that have not run yet. */
  pending: string[];
  /** Migrations unknown to this build and incompatible with it: a newer release ran them. */
  unknown: string[];
  /** Unknown ones that declare themselves safe for the release before. */
  rolling: string[];
}

/**
 * Compares the migrations that ran with the files of this build. A migration that older processes are compatible with
 * adds its name to `rolling_migrations`; without that, they stop taking traffic and jobs as soon as they see it.
 */
export async function readSchemaState(handle: Sql, migrationsFolder: string): Promise<SchemaState> {
  const known = (await readdir(migrationsFolder)).flatMap((file) => /^(Migration.*)\.ts$/.exec(file)?.[1] ?? []);
  const ran = new Set(await namesIn(handle, sql`select name from mikro_orm_migrations`));
  const unknown = [...ran].filter((name) => !known.includes(name));
  const safe =
    unknown.length > 0 ? new Set(await namesIn(handle, sql`select name from rolling_migrations`)) : new Set();
  return {
    pending: known.filter((name) => !ran.has(name)),
    unknown: unknown.filter((name) => !safe.has(name)),
    rolling: unknown.filter((name) => safe.has(name)),
  };
}

/** @throws {StartupError} when a newer release has changed the schema in a way that this build would break. */
export function refuseNewerSchema({ unknown }: SchemaState): void {
  if (unknown.length === 0) return;
  throw new StartupError(
    `The database belongs to a newer version of the server: ${unknown.join(', ')} ran there, and this version does not have ${
      unknown.length === 1 ? 'that migration' : 'those migrations'
    }. Start the newer version, or restore the backup that was made before the upgrade.`,
  );
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
