import { dayOf, startOfDay } from './days.ts';

/**
 * A moment in a sentence, with the zone that it is told in: `December 5, 2026 (Europe/Berlin)`, with the time unless a day
 * begins with it there.
 */
export function momentInWords(at: Date, timeZone: string): string {
  const isDay = startOfDay(dayOf(at, timeZone), timeZone).getTime() === at.getTime();
  const words = at.toLocaleString('en-US', { dateStyle: 'long', ...(isDay ? {} : { timeStyle: 'short' }), timeZone });
  // a narrow space is read as a sign of its own by plugins that know no Unicode
  return `${words.replace(/\s/g, ' ')} (${timeZone.replaceAll('_', ' ')})`;
}
