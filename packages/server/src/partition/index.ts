import { createInterface } from 'node:readline/promises';
import pg from 'pg';
import { stopwatch } from '#platform/clock.ts';
import { sqlOf } from '#platform/db/database.ts';
import { type TenantTable, tenantTables } from '#platform/db/partitions/catalog.ts';
import { clearAway, convertTable, dropHalf, prepare, type Step, tidy } from '#platform/db/partitions/convert.ts';
import { completing } from '#platform/db/partitions/mark.ts';
import { PARTITIONING_LOCK } from '#platform/db/partitions/names.ts';
import { cancelOnAbort } from '#platform/db/pools/cancel.ts';
import { tablesInOrder } from '#platform/db/schema/tables-in-order.ts';
import { StartupError, sqlState } from '#platform/errors.ts';
import { createLogger } from '#platform/log.ts';
import { bytesIn } from '#platform/text/languages.ts';
import { plural } from '#platform/text/plural.ts';
import { type Env, readConfig } from '../config.ts';
import { connectionsFor } from '../connections.ts';
import { runtimeBeside } from '../runtime.ts';
import { spread } from '../spread.ts';
import { duration, type Forecast, forecast, inWords, secondsFor } from './forecast.ts';
import { refuse, refuseDisk } from './refusals.ts';

/** A table that takes its time is named before. */
const LARGE = 100 * 1024 * 1024;

export interface Partitioning {
  url: string;
  by: number;
  report: (words: string) => void;
  /** Whether to go on, after the forecast was printed. */
  agreed: () => Promise<boolean> | boolean;
  signal?: AbortSignal;
  onStep?: (table: string, step: Step) => Promise<void> | void;
  /** Free bytes on the disk of the database. */
  free?: (client: pg.ClientBase) => Promise<number | null>;
}

interface Order {
  by: number;
  yes: boolean;
  dryRun: boolean;
  env: Env;
  report: (words: string) => void;
}

/** `tonerow-server partition --by N [--yes | --dry-run]`: beside a running server, or without one. */
export async function runPartition(order: Order): Promise<number> {
  const { report } = order;
  const config = readConfig(order.env);
  const runtime = await runtimeBeside(config, createLogger('error'));
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const { directUrl } = await connectionsFor(runtime.config);
    const done = await partition({
      url: directUrl,
      by: order.by,
      report,
      agreed: () => !order.dryRun && (order.yes || ask(stopping)),
      signal: stopping.signal,
    });
    if (!done) report('Nothing was changed.\n');
    return done || order.dryRun ? 0 : 1;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await runtime.release();
  }
}

async function ask(stopping: AbortController): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartupError('Nobody can be asked here. Add --yes to go on.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once('SIGINT', () => stopping.abort());
  try {
    return /^y(es)?$/i.test((await terminal.question('Go on? [y/N] ', { signal: stopping.signal })).trim());
  } finally {
    terminal.close();
  }
}

/**
 * Gives every table of accounts its partitions, one table after the other, those first that others refer to.
 * @returns false: not agreed
 * @throws {StartupError} in words, when that cannot be
 */
export async function partition(order: Partitioning): Promise<boolean> {
  const { by, report, signal } = order;
  const client = new pg.Client({ connectionString: order.url, application_name: 'tonerow-partition' });
  await client.connect();
  let disconnected = false;
  client.on('error', () => {
    disconnected = true;
  });
  const unwatch = signal && cancelOnAbort(client, signal);
  let begun = false;
  try {
    await client.query(
      'set search_path = public; set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
      PARTITIONING_LOCK,
    ]);
    if (!rows[0]?.free)
      throw new StartupError('The schema is being changed by another command or by a server that starts. Wait for it.');
    const tables = await tenantTables(sqlOf(client), spread);
    await refuse(client, tables, by);
    const expected = await forecast(client, { tables, by, ...(order.free ? { free: order.free } : {}) });
    report(inWords(expected, by));
    refuseDisk(expected);
    if (!(await order.agreed())) return false;
    begun = true;
    await convertAll(client, expected, order);
    return true;
  } catch (error) {
    unwatch?.();
    if (begun) await dropTriggers(client);
    const state = begun ? `Go on with: tonerow-server partition --by ${by}` : 'Nothing was changed.';
    if (signal?.aborted) throw new StartupError(`Stopped. ${state}`, { cause: error });
    if (disconnected || sqlState(error)?.startsWith('57P'))
      throw new StartupError(`The connection to the database was lost. ${state}`, { cause: error });
    throw error;
  } finally {
    unwatch?.();
    await client.end().catch(() => undefined);
  }
}

const CANCELED = '57014';

/** Removes the triggers that note changes, which would go on in vain. If the connection is gone, the next run does. */
async function dropTriggers(client: pg.Client): Promise<void> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    try {
      return await dropHalf(client);
    } catch (error) {
      // a request to cancel may have been on its way
      if (sqlState(error) !== CANCELED) return;
    }
  }
}

async function convertAll(client: pg.Client, { left, rate }: Forecast, { by, report, signal, onStep }: Partitioning) {
  const owner = left[0]?.owner ?? (await tenantTables(sqlOf(client), spread))[0]?.owner;
  if (owner === undefined) throw new StartupError('There are no tables yet. Run tonerow-server migrate first.');
  await prepare(client, { by, owner });
  const began = stopwatch();
  await tidy(client);
  for (const [n, table] of (await inOrder(client, left)).entries()) {
    const started = stopwatch();
    if (table.bytes > LARGE)
      report(`${table.name}: ${bytesIn('en', table.bytes)}, about ${duration(secondsFor(table.bytes, rate))} …\n`);
    const { rows, waited } = await convertTable(client, table, {
      by,
      onStep: async (name, step) => {
        await onStep?.(name, step);
        signal?.throwIfAborted();
      },
      onWait: (name, attempt) => {
        if (attempt % 10 === 1) report(`${name}: waits for a transaction that uses it\n`);
        signal?.throwIfAborted();
      },
    });
    const seconds = (stopwatch() - started) / 1000;
    const took = seconds < 10 ? `${seconds.toFixed(1)} s` : duration(seconds);
    const locked = `locked for ${(waited / 1000).toFixed(1)} s`;
    const size = `${bytesIn('en', table.bytes)}, ${plural(rows, 'row')}`;
    report(`${n + 1} of ${left.length}  ${table.name}: ${size}, ${took}, ${locked}\n`);
  }
  await clearAway(client);
  await client.query(completing);
  report(`Every table of accounts has ${by} partitions, after ${duration((stopwatch() - began) / 1000)}.\n`);
}

/** Those that others refer to come first: their keys are then made once for a whole table, and once for its partitions. */
async function inOrder(client: pg.Client, left: readonly TenantTable[]): Promise<TenantTable[]> {
  const byName = new Map(left.map((table) => [table.name, table]));
  return (await tablesInOrder(sqlOf(client))).flatMap(({ name }) => byName.get(name) ?? []);
}
