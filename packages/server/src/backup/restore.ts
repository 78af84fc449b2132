import { createWriteStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { hasCitus, isDistributed, SCHEMA_SETTINGS } from '#platform/db/citus/spread.ts';
import { sqlOf } from '#platform/db/database.ts';
import { openDatabase } from '#platform/db/open.ts';
import { partitionCount } from '#platform/db/partitions/mark.ts';
import { migrate } from '#platform/db/schema/migrate.ts';
import { backupRefusalOf, originOf } from '#platform/db/schema/origin.ts';
import { migrationsIn, readMigrations } from '#platform/db/schema/schema-state.ts';
import { tablesInOrder } from '#platform/db/schema/tables-in-order.ts';
import { copyIn } from '#platform/db/statements/copy.ts';
import { listed, quoted } from '#platform/db/statements/identifiers.ts';
import { StartupError } from '#platform/errors.ts';
import type { Logger } from '#platform/log.ts';
import { noteRestore } from '#platform/operations/restores.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { inLane } from '#platform/work-context.ts';
import { migrationsFolder, type ReadyConfig } from '../base.ts';
import { entities } from '../entities.ts';
import { partition } from '../partition/index.ts';
import { checkSecrets } from '../secrets/secrets-check.ts';
import { spread } from '../spread.ts';
import { CutOffError, type Entry, NoArchiveError, type Piece, readArchive } from './archive.ts';
import { moveSequences, tablesWithTriggers, withoutForeignKeys } from './tables.ts';

type Header = Extract<Entry, { kind: 'header' }>;
const FILE_PATH = /^[a-z]+\/[0-9a-f-]{36}\.[a-z0-9]{1,8}$/;

/** An opened backup: its header has been read, the rest is read on demand. */
export interface OpenBackup {
  header: Header;
  rest: AsyncGenerator<Piece>;
}

/** @throws {StartupError} for what is no backup, or is not there. What it reads later fails in words, too. */
export async function openBackup(file: string, source: Readable): Promise<OpenBackup> {
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  const rest = inWords(file, readArchive(source.pipe(gunzip)));
  const none = `${file} is not a backup of Tonerow.`;
  const first = await rest.next().catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
    const { cause } = error;
    if (cause?.code === 'ENOENT') throw new StartupError(`There is no file at ${file}.`);
    const isOther =
      cause?.message === 'incorrect header check' || cause?.code === 'EISDIR' || cause instanceof NoArchiveError;
    throw isOther ? new StartupError(none) : error;
  });
  const entry = !first.done && 'entry' in first.value ? first.value.entry : null;
  if (entry?.kind !== 'header' || entry.version !== 1) throw new StartupError(none);
  return { header: entry, rest };
}

async function* inWords(file: string, pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    throw new StartupError(`${faultOf(file, error as NodeJS.ErrnoException)} Nothing was restored.`, { cause: error });
  }
}

function faultOf(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'Z_BUF_ERROR' || error instanceof CutOffError) return cutOff(file);
  if (error.code?.startsWith('Z_') || error instanceof NoArchiveError || error instanceof SyntaxError)
    return damaged(file);
  return `${file} cannot be read to its end: ${error.message}.`;
}

const cutOff = (file: string) =>
  `${file} is cut off: it ends before the backup does. Copy it again, or take another one.`;
const damaged = (file: string) =>
  `${file} is damaged: something in it is not as it was written. Copy it again, or take another one.`;

/**
 * Reads a backup to its end, before anything is made of it.
 * @param read is called with how many bytes its content had so far.
 * @returns how many bytes its content has.
 * @throws {StartupError} when it is cut off or damaged, in words.
 */
export async function checkWhole(file: string, { rest }: OpenBackup, read?: (bytes: number) => void): Promise<number> {
  const found = { table: 0, file: 0 };
  let end: Extract<Entry, { kind: 'end' }> | undefined;
  let bytes = 0;
  for await (const piece of rest) {
    if (end) throw new StartupError(`${damaged(file)} Nothing was restored.`);
    if ('data' in piece) {
      bytes += piece.data.length;
      read?.(bytes);
    } else if (piece.entry.kind === 'end') end = piece.entry;
    else if (piece.entry.kind === 'table' || piece.entry.kind === 'file') found[piece.entry.kind] += 1;
  }
  if (!end) throw new StartupError(`${cutOff(file)} Nothing was restored.`);
  if (end.tables !== found.table || end.files !== found.file)
    throw new StartupError(`${damaged(file)} Nothing was restored.`);
  return bytes;
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

/** The migrations before it knew no table of restores, so that nobody could be kept from charging cards twice. */
const OLDEST = 'Migration20261126141609_restores';

interface Options {
  config: ReadyConfig & { directUrl: string };
  secrets: Secrets;
  log: Logger;
  now: Date;
  id: string;
  /** How many partitions the tables get, 0 for none. Default: as many as those of the backup had, where that can be. */
  partitions?: number | undefined;
  /** Where the migrations of this version are. */
  folder?: string;
  /** Is called with what is at work, and how many bytes of the backup's content are done. */
  doing?: (what: string, bytes: number) => void;
}

export interface Restored {
  tables: number;
  files: number;
  /** Migrations that the backup did not have, and that ran on what was restored. */
  migrated: string[];
  /** Why the tables have no partitions, although those of the backup had some. */
  whole: { had: number; because: string } | null;
}

/**
 * Fills an empty database and an empty folder of files, and notes that it did: nothing is charged until an admin has looked. Nothing
 * of the database is kept unless the backup is whole. The tables are made as they were when it was made; once they are full, the
 * migrations since then bring them up to date.
 * @throws {StartupError} when the database is not empty, or when the backup is not of this version or an earlier one, or without
 * its secret.
 */
export async function restore({ header, rest }: OpenBackup, options: Options): Promise<Restored> {
  const { config, secrets, now, id, folder = migrationsFolder, doing = () => undefined } = options;
  const later = laterThan(header, await migrationsIn(folder));
  await withSchema({ ...options, folder }, (schema) => makeTables(header, later, schema));
  const whole = await cutUp(header, later, options);
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
    const distributed = await isDistributed(sqlOf(client));
    if (distributed) for (const setting of SCHEMA_SETTINGS) await client.query(setting);
    await client.query('begin');
    await client.query('delete from secret_probes');
    const filled = async () => {
      const counts = await fill({ client, rest, draft, config, doing });
      doing('checking what refers to what', Number.POSITIVE_INFINITY);
      return counts;
    };
    // the machines of a cluster look at the rows side by side
    const counts = distributed ? await filled() : await withoutForeignKeys(sqlOf(client), filled);
    await moveSequences(sqlOf(client));
    await noteRestore(sqlOf(client), { id, restoredAt: now, backupAt: new Date(header.createdAt) });
    const fault = await checkSecrets(sqlOf(client), secrets);
    if (fault) throw new StartupError(fault.detail ?? fault.reason);
    if (counts.files > 0) await rename(draft, files);
    await client.query('commit');
    doing('bringing it up to date', Number.POSITIVE_INFINITY);
    const migrated = later.length > 0 ? await withSchema({ ...options, folder }, bringUpToDate) : [];
    if (distributed || migrated.length > 0) await client.query('analyze');
    return { ...counts, migrated, whole };
  } finally {
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

/** The migrations that this version has beyond the backup. @throws {StartupError} when it cannot bring the backup up to date. */
export function laterThan({ migrations }: Header, known: readonly string[]): string[] {
  const unknown = migrations.filter((name) => !known.includes(name));
  const later = known.filter((name) => !migrations.includes(name));
  if (unknown.length > 0)
    throw new StartupError(backupRefusalOf(originOf(migrations, known), { unknown, pending: later }));
  if (!migrations.includes(OLDEST))
    throw new StartupError(
      'This backup is from before version 0.1.0. Restore it with the version that made it, then start this one, which upgrades it.',
    );
  return later;
}

type Schema = ReturnType<typeof openDatabase> & { up(only?: readonly string[]): Promise<string[]> };

/** The database with its migrations, and without anything of the server at work on it. */
async function withSchema<T>(
  { config, log, folder }: Options & { folder: string },
  work: (schema: Schema) => Promise<T>,
): Promise<T> {
  const opened = openDatabase({
    url: config.directUrl,
    sizes: { api: 2, licensing: 1, bulk: 1 },
    entities,
    log,
    migrationsFolder: folder,
  });
  try {
    const up = (only?: readonly string[]) =>
      migrate(opened.orm, { url: config.directUrl, folder, spread, ...(only ? { only } : {}) });
    return await work({ ...opened, up });
  } finally {
    await opened.db.close();
  }
}

/** Makes the tables of an empty database as those were that the backup was made of. */
async function makeTables({ migrations }: Header, later: readonly string[], { orm, db, up }: Schema): Promise<void> {
  for (const { name } of await tablesInOrder(db)) {
    // a server that was started here once has left its probe, and nothing else
    if (name === 'secret_probes') continue;
    const rows = await db.query(
      `/* across tenants: whether anything is there */ select 1 from ${quoted(name)} limit 1`,
    );
    if (rows.length > 0)
      throw new StartupError(`The database is not empty: ${name} has rows. Restore into an empty one.`);
  }
  const ran = await readMigrations(db);
  const beyond = later.filter((name) => ran.includes(name));
  if (beyond.length > 0) {
    await refuseSpread(db);
    // in an empty database nothing is lost
    await inLane('migration', () => orm.migrator.down({ migrations: beyond }));
  }
  await up(migrations);
}

/**
 * Gives the empty tables their partitions.
 * @returns why they have none, although those of the backup had some and nobody wants another number.
 * @throws {StartupError} when they cannot get the number that somebody wants.
 */
async function cutUp(
  { partitions: had = 0 }: Header,
  later: readonly string[],
  { config, partitions: wanted, doing = () => undefined }: Options,
): Promise<Restored['whole']> {
  const by = wanted ?? had;
  const there = await tablesPartitions(config.directUrl);
  if (there === by || (there > 0 && wanted === undefined)) return null;
  try {
    if (there > 0) throw new StartupError(`The tables here have ${there} partitions already.`);
    if (later.length > 0)
      throw new StartupError('An earlier version made this backup, and its tables are made as they were then.');
    doing(`giving the tables ${by} partitions`, 0);
    await partition({ url: config.directUrl, by, report: () => undefined, agreed: () => true });
    return null;
  } catch (error) {
    if (wanted !== undefined || !(error instanceof StartupError)) throw error;
    return { had, because: error.message };
  }
}

async function tablesPartitions(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'tonerow-restore' });
  await client.connect();
  try {
    return await partitionCount(sqlOf(client));
  } finally {
    await client.end();
  }
}

/** @throws {StartupError} where tables are spread: they would have to be gathered to be made as they were. */
async function refuseSpread(db: Schema['db']): Promise<void> {
  if ((await hasCitus(db)) && (await isDistributed(db)))
    throw new StartupError(
      'An earlier version made this backup, and the tables here are distributed as this version has them. Restore it into a new empty database of the cluster, then run: tonerow-server distribute',
    );
  if ((await partitionCount(db)) > 0)
    throw new StartupError(
      'An earlier version made this backup, and the tables here have partitions already. Restore it into a new empty database, then run: tonerow-server partition',
    );
}

async function bringUpToDate({ up }: Schema): Promise<string[]> {
  try {
    return await up();
  } catch (error) {
    throw new StartupError(
      `The backup was restored as it was made, but it could not be brought up to date: ${error instanceof Error ? error.message : error}. What was restored is whole. To try again, run: tonerow-server migrate`,
    );
  }
}

interface Filling {
  client: pg.Client;
  rest: AsyncGenerator<Piece>;
  draft: string;
  config: ReadyConfig;
  doing: (what: string, bytes: number) => void;
}

async function fill({ client, rest, draft, config, doing }: Filling): Promise<Pick<Restored, 'tables' | 'files'>> {
  const known = new Map((await tablesInOrder(sqlOf(client))).map(({ name, columns }) => [name, columns]));
  const triggered = await tablesWithTriggers(sqlOf(client));
  const counts = { tables: 0, files: 0 };
  let bytes = 0;
  let next = await rest.next();
  while (!next.done) {
    if (!('entry' in next.value)) throw new Error('The backup is damaged.');
    const { entry } = next.value;
    if (entry.kind === 'end') {
      if (entry.tables === counts.tables && entry.files === counts.files && (await rest.next()).done) return counts;
      throw new StartupError('The backup is not whole. Nothing was restored.');
    }
    const what = entry.kind === 'table' ? `table ${entry.name}` : 'files';
    doing(what, bytes);
    const content = contentOf(rest, (length) => {
      bytes += length;
      doing(what, bytes);
    });
    if (entry.kind === 'table') {
      const columns = known.get(entry.name);
      if (!columns || entry.columns.some((column) => !columns.includes(column)))
        throw new Error('The backup is damaged.');
      const table = quoted(entry.name);
      // rows that triggers wrote are in the backup too
      const hasTriggers = triggered.has(entry.name);
      if (hasTriggers) await client.query(`alter table ${table} disable trigger user`);
      await copyIn(
        client,
        `/* across tenants: a backup has everything */ copy ${table} (${listed(entry.columns)}) from stdin`,
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
function contentOf(rest: AsyncGenerator<Piece>, took: (length: number) => void) {
  let after: IteratorResult<Piece> | undefined;
  const chunks = (async function* () {
    for (;;) {
      after = await rest.next();
      if (after.done || 'entry' in after.value) return;
      took(after.value.data.length);
      yield after.value.data;
    }
  })();
  return { chunks, after: () => after as IteratorResult<Piece> };
}
