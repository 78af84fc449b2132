import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { stopwatch } from '#platform/clock.ts';
import { sqlState } from '#platform/errors.ts';
import { quoted } from '../statements/identifiers.ts';
import { together } from './together.ts';

/** Others wait behind a lock that is waited for, and licensing gives up after two seconds. */
const LONGEST = 700;
const PAUSE = 800;
/** Partitions are those of one PostgreSQL: there is no machine that this has to be passed on to. */
const waitFor = (ms: number) => `set local lock_timeout = ${ms} /* one machine */`;
const NOT_NOW = new Set(['55P03', '40P01', '40001']);

export interface Brief {
  /** Locked one by one, all within 0.7 seconds or not at all. */
  tables: readonly string[];
  mode: 'access exclusive' | 'share row exclusive';
  /** Called between two attempts. @param attempt from 1 on. */
  between?: (attempt: number) => Promise<void>;
}

/**
 * A transaction that others wait for. It gives its locks back when it does not get all of them soon, and tries again until it does.
 * @returns what the work returned, and for how many milliseconds others had to wait for it.
 */
export async function withBriefLocks<T>(
  client: pg.ClientBase,
  { tables, mode, between }: Brief,
  work: () => Promise<T>,
): Promise<{ result: T; waited: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const began = stopwatch();
    try {
      await client.query('begin');
      for (const table of [...new Set(tables)].sort()) {
        const left = Math.ceil(LONGEST - (stopwatch() - began));
        await together(client, [waitFor(Math.max(left, 1)), `lock table public.${quoted(table)} in ${mode} mode`]);
      }
      await client.query(waitFor(LONGEST));
      const result = await work();
      await client.query('commit');
      return { result, waited: stopwatch() - began };
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (!NOT_NOW.has(sqlState(error) ?? '')) throw error;
    }
    await pause(PAUSE);
    await between?.(attempt);
  }
}
