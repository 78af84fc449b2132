import { dayOf } from './days.ts';

/** `Los Angeles time`, `UTC`: what a time zone is called where people read it. */
export function zoneInWords(timeZone: string): string {
  if (/^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu)$/i.test(timeZone)) return 'UTC';
  const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
  return timeZone.includes('/') ? `${place} time` : timeZone;
}

/** `December 5, 2026 (Los Angeles time)`: the day on which something happened or will happen. */
export function dayInWords(moment: Date, timeZone: string): string {
  return `${day(moment, timeZone)} (${zoneInWords(timeZone)})`;
}

/** `December 5, 2026 at 3:59 PM (Los Angeles time)`. */
export function momentInWords(moment: Date, timeZone: string): string {
  return `${day(moment, timeZone)} at ${time(moment, timeZone)} (${zoneInWords(timeZone)})`;
}

/**
 * A date that somebody chose, such as the end of a deal: as a day, where it is the beginning or the end of one for the
 * reader or for the account whose date it is; otherwise to the minute, on the reader's clock.
 */
export function chosenInWords(moment: Date, edge: 'start' | 'end', reader: string, owner: string = reader): string {
  const edgeZone = [reader, owner].find((timeZone) => isEdge(moment, edge, timeZone));
  return edgeZone ? dayInWords(moment, edgeZone) : momentInWords(moment, reader);
}

/**
 * The moment from which something is possible, with the zone's own name, as plugins and the API show it:
 * `December 5, 2026 (Europe/Berlin)`, with the time unless a day begins with it there.
 */
export function startInWords(moment: Date, timeZone: string): string {
  const hour = isEdge(moment, 'start', timeZone) ? '' : ` at ${time(moment, timeZone)}`;
  return `${day(moment, timeZone)}${hour} (${timeZone.replaceAll('_', ' ')})`;
}

/** Whether a day begins with the moment, or ends within its second. */
function isEdge(moment: Date, edge: 'start' | 'end', timeZone: string): boolean {
  const beside = new Date(moment.getTime() + (edge === 'start' ? -1 : 1000));
  return dayOf(beside, timeZone) !== dayOf(moment, timeZone);
}

function day(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(moment);
}

function time(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone }).format(moment).replaceAll('\u202f', ' ');
}
