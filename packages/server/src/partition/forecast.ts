import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { stopwatch } from '#platform/clock.ts';
import type { TenantTable } from '#platform/db/partitions/catalog.ts';
import { listed, quoted } from '#platform/db/statements/identifiers.ts';
import { bytesIn } from '#platform/text/languages.ts';

const MB = 1024 * 1024;
/** The rows that are copied to see how fast this database is. */
const SAMPLE = 20_000;
/** A sample with fewer rows shows nothing. */
const TOO_FEW = 2000;
/** Bytes in a second, where there is too little to measure. */
const USUAL = 10 * MB;
/** The factor for work beside copying rows with their indexes: the log, vacuum, statistics and foreign keys. */
const BESIDE = 1.8;
/** Bytes of a partition without rows, with its indexes. */
const EMPTY = 56 * 1024;
/** Seconds for a table of any size, for each partition. */
const EACH = 0.06;

export interface Forecast {
  left: TenantTable[];
  bytes: number;
  largest: TenantTable | undefined;
  seconds: number;
  /** Bytes that are copied in a second, with their indexes. */
  rate: number;
  /** The most that is needed at one time. */
  needs: number;
  /** Bytes of WAL. */
  log: number;
  /** Null: the disk of the database is not on this machine, or cannot be looked at. */
  free: number | null;
}

/** How long a run takes and how much disk it needs, from the sizes of the tables and the speed of a sample. */
export async function forecast(
  client: pg.ClientBase,
  { tables, by, free = freeSpace }: { tables: TenantTable[]; by: number; free?: typeof freeSpace },
): Promise<Forecast> {
  const left = tables.filter(({ partitions }) => partitions === 0);
  const bytes = left.reduce((sum, table) => sum + table.bytes, 0);
  const [largest] = left.toSorted((a, b) => b.bytes - a.bytes);
  const empty = left.length * by * EMPTY;
  const rate = largest && largest.rows >= TOO_FEW ? await measure(client, largest) : USUAL;
  return {
    left,
    bytes,
    largest,
    rate,
    seconds: left.length * by * EACH + secondsFor(bytes, rate),
    // the old table is dropped when the new one is in its place; sorting an index and the log come on top
    needs: Math.round((largest?.bytes ?? 0) * 1.5) + 64 * MB + empty,
    log: bytes * 2 + empty,
    free: await free(client),
  };
}

export const secondsFor = (bytes: number, rate: number) => (bytes / rate) * BESIDE;

/** Copies some rows of a table with its indexes into a temporary one. @returns bytes in a second */
async function measure(client: pg.ClientBase, { name, columns }: TenantTable): Promise<number> {
  await client.query('begin');
  try {
    await client.query(`create temp table sample (like public.${quoted(name)} including all) on commit drop`);
    const began = stopwatch();
    await client.query(
      `/* across tenants: a sample */ insert into pg_temp.sample (${listed(columns)}) overriding system value
       select ${listed(columns)} from public.${quoted(name)} limit ${SAMPLE}`,
    );
    const seconds = (stopwatch() - began) / 1000;
    const { rows } = await client.query<{ bytes: number }>("select pg_total_relation_size('pg_temp.sample') as bytes");
    return Math.max((rows[0]?.bytes ?? 0) / Math.max(seconds, 0.001), MB);
  } finally {
    await client.query('rollback');
  }
}

/** Free bytes on the disk of the database, if that is a disk of this machine. */
async function freeSpace(client: pg.ClientBase): Promise<number | null> {
  try {
    const { rows } = await client.query<{ folder: string; local: boolean }>(
      `select current_setting('data_directory') as folder,
         coalesce(inet_server_addr() = inet_client_addr() or inet_server_addr() << '127.0.0.0/8', true) as local`,
    );
    const [place] = rows;
    if (!place?.local) return null;
    const { bavail, bsize } = await statfs(path.join(place.folder, 'base'));
    return bavail * bsize;
  } catch {
    // its role may not know the folder, or this process not look into it
    return null;
  }
}

const size = (bytes: number) => bytesIn('en', bytes);

export function inWords({ left, bytes, largest, seconds, needs, log, free }: Forecast, by: number): string {
  const disk = free === null ? 'this machine cannot see how much is free there' : `${size(free)} are free`;
  return `${left.length} tables with ${size(bytes)} get ${by} partitions each.${
    largest ? ` The largest, ${largest.name}, has ${size(largest.bytes)}.` : ''
  }

  time    about ${duration(seconds)}; the server goes on serving
  waits   a table is locked for a fraction of a second when its copy takes its place
  disk    ${size(needs)} at most at one time; ${disk}
  log     PostgreSQL writes about ${size(log)} of WAL, which archives and standbys take as well

A run that is stopped goes on where it was when it is started again.
`;
}

export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 1.5) return 'a second';
  if (minutes < 2) return `${Math.round(seconds)} seconds`;
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
