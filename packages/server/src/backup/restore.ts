import { createWriteStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { isDistributed, SCHEMA_SETTINGS } from '#platform/db/citus/spread.ts';
import { sqlOf } from '#platform/db/database.ts';
import { openDatabase } from '#platform/db/open.ts';
import { migrate } from '#platform/db/schema/migrate.ts';
import { readSchemaState } from '#platform/db/schema/schema-state.ts';
import { copyIn } from '#platform/db/statements/copy.ts';
import { StartupError } from '#platform/errors.ts';
import type { Logger } from '#platform/log.ts';
import { noteRestore } from '#platform/operations/restores.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { migrationsFolder, type ReadyConfig } from '../base.ts';
import { entities } from '../entities.ts';
import { checkSecrets } from '../secrets-check.ts';
import { spread } from '../spread.ts';
import { type Entry, type Piece, readArchive } from './archive.ts';
import { moveSequences, quoted, readTables, tablesWithTriggers } from './tables.ts';

type Header = Extract<Entry, { kind: 'header' }>;
const FILE_PATH = /^[a-z]+\/[0-9a-f-]{36}\.[a-z0-9]{1,8}$/;

/** An opened backup: its header has been read, the rest is read on demand. */
export interface OpenBackup {
  header: Header;
  rest: AsyncGenerator<Piece>;
}

/** @throws {StartupError} for what is no backup. */
export async function openBackup(file: string, source: Readable): Promise<OpenBackup> {
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  const rest = readArchive(source.pipe(gunzip));
  const first = await rest.next();
  const entry = !first.done && 'entry' in first.value ? first.value.entry : null;
  if (entry?.kind !== 'header' || entry.version !== 1) throw new StartupError(`${file} is not a backup of Tonerow.`);
  return { header: entry, rest };
}

/** Puts a generated secret where the server looks for it. @throws {StartupError} when there is another one. */
export async function restoreSecret({ header }: OpenBackup, dataDir: string): Promise<void> {
  if (header.secret === null) return;
  const file = path.join(dataDir, 'secret');
  const there = await readFile(file, 'utf8').catch(() => null);
  if (there === header.secret) return;
  if (there !== null)
    throw new StartupError(`${file} holds another secret than the backup. Restore into an empty folder.`);
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, header.secret, { mode: 0o600, flag: 'wx', flush: true });
}

/**
 * Fills an empty database and an empty folder of files, and notes that it did: nothing is charged until an admin has looked. Nothing of the database is kept unless the backup is whole.
 * @throws {StartupError} when the database is not empty, when another version made the backup, or without its secret.
 */
export async function restore(
  { header, rest }: OpenBackup,
  {
    config,
    secrets,
    log,
    now,
    id,
  }: { config: ReadyConfig & { directUrl: string }; secrets: Secrets; log: Logger; now: Date; id: string },
): Promise<{ tables: number; files: number }> {
  await toSameSchema(header, config, log);
  const files = path.join(config.dataDir, 'files');
  const draft = `${files}.restoring`;
  if (
    !config.s3 &&
    (await access(files).then(
      () => true,
      () => false,
    ))
  ) {
    throw new StartupError(`${files} is there already. Restore into an empty folder.`);
  }
  const client = new pg.Client({ connectionString: config.directUrl, application_name: 'tonerow-restore' });
  await client.connect();
  try {
    if (await isDistributed(sqlOf(client))) for (const setting of SCHEMA_SETTINGS) await client.query(setting);
    await client.query('begin');
    await client.query('delete from secret_probes');
    const counts = await fill({ client, rest, draft, config });
    await moveSequences(sqlOf(client));
    await noteRestore(sqlOf(client), { id, restoredAt: now, backupAt: new Date(header.createdAt) });
    const fault = await checkSecrets(sqlOf(client), secrets);
    if (fault) throw new StartupError(fault.detail ?? fault.reason);
    if (counts.files > 0) await rename(draft, files);
    await client.query('commit');
    await client.query('analyze');
    return counts;
  } finally {
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

async function toSameSchema(header: Header, config: ReadyConfig & { directUrl: string }, log: Logger): Promise<void> {
  const { orm, db } = openDatabase({
    url: config.directUrl,
    sizes: { api: 2, licensing: 1, bulk: 1 },
    entities,
    log,
    migrationsFolder,
  });
  try {
    const known = (await readSchemaState({ query: async () => [] }, migrationsFolder)).pending;
    if (header.migrations.some((name) => !known.includes(name))) {
      throw new StartupError('A newer version of the server made this backup. Restore it with that one.');
    }
    if (known.some((name) => !header.migrations.includes(name))) {
      throw new StartupError(
        'An older version of the server made this backup. Restore it with that one, then upgrade.',
      );
    }
    await migrate(orm, { url: config.directUrl, folder: migrationsFolder, spread });
    for (const { name } of await readTables(db)) {
      // a server that was started here once has left its probe, and nothing else
      if (name === 'secret_probes') continue;
      const rows = await db.query(
        `/* across tenants: whether anything is there */ select 1 from ${quoted([name])} limit 1`,
      );
      if (rows.length > 0)
        throw new StartupError(`The database is not empty: ${name} has rows. Restore into an empty one.`);
    }
  } finally {
    await db.close();
  }
}

interface Filling {
  client: pg.Client;
  rest: AsyncGenerator<Piece>;
  draft: string;
  config: ReadyConfig;
}

async function fill({ client, rest, draft, config }: Filling): Promise<{ tables: number; files: number }> {
  const known = new Map((await readTables(sqlOf(client))).map(({ name, columns }) => [name, columns]));
  const triggered = await tablesWithTriggers(sqlOf(client));
  const counts = { tables: 0, files: 0 };
  let next = await rest.next();
  while (!next.done) {
    if (!('entry' in next.value)) throw new Error('The backup is damaged.');
    const { entry } = next.value;
    if (entry.kind === 'end') {
      if (entry.tables === counts.tables && entry.files === counts.files && (await rest.next()).done) return counts;
      throw new StartupError('The backup is not whole. Nothing was restored.');
    }
    const content = contentOf(rest);
    if (entry.kind === 'table') {
      const columns = known.get(entry.name);
      if (!columns || entry.columns.some((column) => !columns.includes(column)))
        throw new Error('The backup is damaged.');
      const table = quoted([entry.name]);
      // what triggers wrote is in the backup too
      const hasTriggers = triggered.has(entry.name);
      if (hasTriggers) await client.query(`alter table ${table} disable trigger user`);
      await copyIn(
        client,
        `/* across tenants: a backup has everything */ copy ${table} (${quoted(entry.columns)}) from stdin`,
        content.chunks,
      );
      if (hasTriggers) await client.query(`alter table ${table} enable trigger user`);
      counts.tables += 1;
    } else if (entry.kind === 'file' && FILE_PATH.test(entry.path)) {
      if (config.s3) throw new StartupError('The backup has files of a folder, and object storage is configured.');
      const place = path.join(draft, entry.path);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      await pipeline(Readable.from(content.chunks), createWriteStream(place, { mode: 0o600, flush: true }));
      counts.files += 1;
    } else throw new Error('The backup is damaged.');
    next = content.after();
  }
  throw new StartupError('The backup is not whole. Nothing was restored.');
}

/** The pieces up to the next entry, and that entry. */
function contentOf(rest: AsyncGenerator<Piece>) {
  let after: IteratorResult<Piece> | undefined;
  const chunks = (async function* () {
    for (;;) {
      after = await rest.next();
      if (after.done || 'entry' in after.value) return;
      yield after.value.data;
    }
  })();
  return { chunks, after: () => after as IteratorResult<Piece> };
}
