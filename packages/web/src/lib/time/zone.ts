import { ownZone } from './own-zone.ts';

/** The zone of this browser's clock. */
export const browserZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

const known = new Map<string, boolean>();

/** The server may know zones that this browser does not. */
function isKnown(zone: string): boolean {
  const before = known.get(zone);
  if (before !== undefined) return before;
  let found = true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    found = false;
  }
  known.set(zone, found);
  return found;
}

const usable = (zone: string) => (isKnown(zone) ? zone : 'UTC');

/** The zone that an account's dates are in: its own, not the browser's. Where nobody is signed in, the browser's. */
export function accountZone(): string {
  const own = ownZone();
  return own === null ? browserZone : usable(own);
}

/** `Los Angeles time`, `UTC`. */
export function zoneInWords(zone: string): string {
  if (/^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu)$/i.test(zone)) return 'UTC';
  return zone.includes('/') ? `${zone.split('/').at(-1)?.replaceAll('_', ' ')} time` : zone;
}

const offsets = new Map<string, Intl.DateTimeFormat>();

/** Minutes east of UTC. */
function offsetAt(moment: number, zone: string): number {
  let format = offsets.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: usable(zone), timeZoneName: 'longOffset' });
    offsets.set(zone, format);
  }
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** Whether the clocks of two zones show the same at a moment. */
export function sameClock(iso: string, one: string, other: string): boolean {
  const moment = Date.parse(iso);
  return offsetAt(moment, one) === offsetAt(moment, other);
}

/** ISO 8601 on the clock of a zone, with its offset; `Z` in UTC. As the server's CSV has it. */
export function isoIn(iso: string, zone: string): string {
  if (zone === 'UTC') return iso;
  const moment = Date.parse(iso);
  const minutes = offsetAt(moment, zone);
  const two = (n: number) => String(n).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return new Date(moment + minutes * 60_000).toISOString().replace('Z', offset);
}

/** The day of a moment, `YYYY-MM-DD`, as date fields have it. */
export const dayIn = (iso: string, zone: string): string => isoIn(iso, zone).slice(0, 10);

export type Edge = 'start' | 'end';

/** Whether a day begins with the moment, or ends within its second. */
export function isEdge(iso: string, edge: Edge, zone: string): boolean {
  const beside = new Date(Date.parse(iso) + (edge === 'start' ? -1 : 1000)).toISOString();
  return dayIn(beside, zone) !== dayIn(iso, zone);
}
