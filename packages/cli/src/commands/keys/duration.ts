import { UsageError } from '#exit.ts';

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A length of time such as 90d, 12h or 30m, in seconds. */
export function secondsOf(text: string, flag: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (!match) throw new UsageError(`${flag} takes a time such as 7d, 12h or 30m.`);
  return Number(match[1]) * (UNITS[match[2] as string] as number);
}
