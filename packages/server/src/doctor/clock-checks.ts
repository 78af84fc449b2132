import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Config } from '../config.ts';
import { type Found, failed, ok, skipped, warning } from './finding.ts';

const TIMEOUT = 5000;
const FAR = 60_000;
const APART = 5000;

/** Two clocks that differ make dates, promos and second factors wrong. */
export async function clockOf(sql: Sql, clock: Clock): Promise<Found> {
  const before = clock.now().getTime();
  const [row] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
  const after = clock.now().getTime();
  return judgeClock((row as { now: Date }).now.getTime(), { before, after }, 'the database');
}

export function judgeClock(theirs: number, ours: { before: number; after: number }, who: string): Found {
  const apart = theirs < ours.before ? ours.before - theirs : theirs > ours.after ? theirs - ours.after : 0;
  const found = `The clocks of this machine and of ${who} are ${Math.round(apart / 1000)} seconds apart.`;
  const todo = 'Let both machines set their clocks by NTP.';
  if (apart > FAR) return failed(found, todo);
  return apart > APART ? warning(found, todo) : ok(found);
}

/** Machines that show their time in answers to HTTP requests, each with its role here. */
export function clocksBeside({ s3, backups, releaseFeed }: Pick<Config, 's3' | 'backups' | 'releaseFeed'>) {
  const known = new Map<string, string>();
  const add = (address: string | undefined, who: string) => {
    const origin = address === undefined ? undefined : new URL(address).origin;
    if (origin && !known.has(origin)) known.set(origin, who);
  };
  add(s3?.endpoint, 'the object storage');
  if (backups.to.some((where) => where.startsWith('s3://'))) add(backups.s3?.endpoint, 'the storage of backups');
  add(releaseFeed, 'the release feed');
  return [...known].map(([origin, who]) => ({ origin, who }));
}

/** A bucket refuses requests that were signed at another time; and on one machine, the database has the same wrong clock. */
export async function clockBeside({ origin, who }: { origin: string; who: string }, clock: Clock): Promise<Found> {
  const before = clock.now().getTime();
  const answer = await fetch(origin, {
    method: 'HEAD',
    signal: AbortSignal.timeout(TIMEOUT),
    redirect: 'manual',
  }).catch(() => null);
  if (!answer) return skipped(`The clock of ${who} is not known, because it does not answer.`);
  const date = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(date)) return skipped(`The clock of ${who} is not known, because it shows no time.`);
  // it has no parts of a second
  return judgeClock(date, { before: before - 1000, after: clock.now().getTime() }, who);
}
