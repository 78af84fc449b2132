import { DAY } from '#platform/clock.ts';

const AHEAD = 30 * DAY;

/** A month before which a card must end to be expiring: it can be charged until the end of its last month. */
export function expiringBefore(now: Date): { year: number; month: number } {
  const soon = new Date(now.getTime() + AHEAD);
  return { year: soon.getUTCFullYear(), month: soon.getUTCMonth() + 1 };
}

export function isExpiring(card: { exp_year: number; exp_month: number }, now: Date): boolean {
  const { year, month } = expiringBefore(now);
  return card.exp_year < year || (card.exp_year === year && card.exp_month < month);
}
