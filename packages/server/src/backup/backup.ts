import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { sqlOf } from '#platform/db/database.ts';
import { partitionCount } from '#platform/db/partitions/mark.ts';
import { readSchemaState, refuseForeignSchema } from '#platform/db/schema/schema-state.ts';
import { tablesInOrder } from '#platform/db/schema/tables-in-order.ts';
import { copyOut } from '#platform/db/statements/copy.ts';
import { listed, quoted } from '#platform/db/statements/identifiers.ts';
import { StartupError } from '#platform/errors.ts';
import { isDiskFull } from '#platform/storage/disk.ts';
import { migrationsFolder, type ReadyConfig } from '../base.ts';
import { archiveWriter } from './archive.ts';
import { beginAtOneMoment, isOnManyMachines, type Moment } from './moment.ts';
import type { Draft } from './places.ts';

export interface BackupReport {
  tables: number;
  files: number;
  secret: boolean;
  moment: Moment;
}

interface Options {
  config: ReadyConfig & { directUrl: string };
  /** The secret was generated; one from the environment is its owner's to keep. */
  ownSecret: boolean;
  /** Where it is written to. */
  draft: Draft;
  now: Date;
  /** Stops it, and leaves nothing. */
  signal?: AbortSignal | undefined;
  /** Where the migrations of this version are. */
  folder?: string;
}

const WHOLE_FILE = /\.[a-z0-9]{1,8}$/;

/**
 * Writes the database, the stored files and a generated secret into one file, all tables as they were at one moment, or with a note
 * that they were not. The file gets its name when it is whole, and is its owner's alone.
 */
export async function backup(options: Options): Promise<BackupReport> {
  const { draft, signal } = options;
  const gzip = createGzip({ level: 4 });
  const written = pipeline(gzip, draft.stream, signal ? { signal } : {});
  // looked at below; until then it must not end the process
  written.catch(() => undefined);
  try {
    const report = await writeAll(options, archiveWriter(gzip));
    gzip.end();
    await written;
    await draft.commit();
    return report;
  } catch (error) {
    gzip.destroy();
    await draft.abort(error as Error);
    if (!isDiskFull(error)) throw error;
    const cause = { cause: error };
    throw new StartupError(`The disk is full: ${draft.target} could not be written, and nothing is left of it.`, cause);
  }
}

async function writeAll(
  { config, ownSecret, now, folder = migrationsFolder }: Options,
  archive: ReturnType<typeof archiveWriter>,
): Promise<BackupReport> {
  const client = new pg.Client({ connectionString: config.directUrl, application_name: 'tonerow-backup' });
  await client.connect();
  try {
    const sql = sqlOf(client);
    const tables = await tablesInOrder(sql);
    const reading = { client, url: config.directUrl, tables: tables.map(({ name }) => name) };
    const moment = await beginAtOneMoment(reading, await isOnManyMachines(sql));
    const state = await readSchemaState(sql, folder);
    refuseForeignSchema(state);
    if (state.pending.length > 0)
      throw new StartupError('The schema is not current. Run tonerow-server migrate first.');
    const ran = await sql.query<{ name: string }>('select name from mikro_orm_migrations order by name');
    const secret = ownSecret ? await readFile(path.join(config.dataDir, 'secret'), 'utf8') : null;
    const migrations = ran.map(({ name }) => name);
    const partitions = await partitionCount(sql);
    const createdAt = now.toISOString();
    await archive.entry({ kind: 'header', version: 1, createdAt, migrations, secret, moment, partitions });
    for (const { name, columns } of tables) {
      await archive.entry({ kind: 'table', name, columns });
      await archive.content(
        copyOut(
          client,
          `/* across tenants: a backup has everything */ copy (select ${listed(columns)} from ${quoted(name)}) to stdout`,
        ),
      );
    }
    await client.query('commit');
    const files = config.s3 ? 0 : await writeFiles(path.join(config.dataDir, 'files'), archive);
    await archive.entry({ kind: 'end', tables: tables.length, files });
    return { tables: tables.length, files, secret: secret !== null, moment };
  } finally {
    await client.end();
  }
}

async function writeFiles(root: string, archive: ReturnType<typeof archiveWriter>): Promise<number> {
  const inside = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const entry of inside) {
    const place = path.join(entry.parentPath, entry.name);
    const relative = path.relative(root, place);
    // uploads that are on their way are sent again
    const whole = entry.isFile() && WHOLE_FILE.test(entry.name) && !/\.part(s|$)/.test(relative);
    if (!whole) continue;
    const stream = createReadStream(place, { highWaterMark: 1024 * 1024 });
    await archive.entry({ kind: 'file', path: relative.split(path.sep).join('/') });
    await archive.content(stream);
    count += 1;
  }
  return count;
}
