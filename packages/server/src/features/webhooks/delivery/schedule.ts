import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';

/** How long after the one before it each attempt is made: the example of Standard Webhooks, 75 hours in all. */
export const DELAYS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;
const LONGEST_WISH = DAY;

/**
 * Milliseconds until the next attempt, ± 20 % so that what failed together does not return together; null when all are used
 * up.
 * @param position how many attempts of the schedule were made.
 * @param wish the milliseconds that the receiver asked for.
 */
export function delayAfter(position: number, wish: number | null, random: Pick<Random, 'bytes'>): number | null {
  const delay = DELAYS[position];
  if (delay === undefined) return null;
  const chance = random.bytes(4).readUInt32BE() / 0xffff_ffff;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * chance));
  return Math.max(jittered, Math.min(wish ?? 0, LONGEST_WISH));
}

/** The delay that `Retry-After` asks for, in milliseconds: seconds, or a date. Null: nothing that can be read. */
export function retryAfterOf(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
