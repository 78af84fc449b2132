import type pg from 'pg';
import { StartupError } from '#platform/errors.ts';

/** The oldest PostgreSQL that the server runs on. */
export const OLDEST_POSTGRES = 15;

/** Databases with PostgreSQL's protocol: LISTEN, advisory locks or triggers do nothing in them, or are missing. */
const OTHERS: readonly [RegExp, string][] = [
  [/^CockroachDB/, 'CockroachDB'],
  [/-YB-/, 'YugabyteDB'],
  [/redshift/i, 'Amazon Redshift'],
];

/**
 * Why the server does not run on a database; null: it does.
 * @param words what `version()` answers, such as `PostgreSQL 17.2 on x86_64-pc-linux-gnu`
 * @param number `server_version_num`, such as 170002
 */
export function unfitReason(words: string, number: number): string | null {
  const other = OTHERS.find(([pattern]) => pattern.test(words));
  if (other)
    return `The database is ${other[1]}. The server needs PostgreSQL ${OLDEST_POSTGRES} or newer, or Citus on it: its queue, its live events and its locks rely on what ${other[1]} lacks.`;
  if (number >= OLDEST_POSTGRES * 10_000) return null;
  return `The database is PostgreSQL ${Math.floor(number / 10_000)}. Upgrade it to ${OLDEST_POSTGRES} or newer.`;
}

/** @throws {StartupError} */
export async function refuseUnfit(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ words: string; number: number }>(
    "select version() as words, current_setting('server_version_num')::int as number",
  );
  const [{ words, number } = { words: '', number: 0 }] = rows;
  const why = unfitReason(words, number);
  if (why) throw new StartupError(why);
}
