import { AsyncLocalStorage } from 'node:async_hooks';

/** The time zone of the account that a command runs for, from the server's answers. */
const running = new AsyncLocalStorage<{ zone: string }>();

export const withAccountZone = <Result>(run: () => Result): Result => running.run({ zone: 'UTC' }, run);

export function noteAccountZone(zone: string | null): void {
  const store = running.getStore();
  if (store && zone) store.zone = zone;
}

export const accountZone = (): string => running.getStore()?.zone ?? 'UTC';

/** The zone of this machine. */
export const machineZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** ISO 8601 on the clock of a time zone, with its offset; `Z` in UTC. */
export function isoIn(moment: string, zone = accountZone()): string {
  if (zone === 'UTC') return moment;
  const at = new Date(moment);
  const minutes = offsetOf(at, zone);
  const two = (n: number) => String(n).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return new Date(at.getTime() + minutes * 60_000).toISOString().replace('Z', offset);
}

/** The day of a moment, on the account's clock. */
export function day(moment: string | null | undefined, zone = accountZone()): string | null {
  return moment ? isoIn(moment, zone).slice(0, 10) : null;
}

/** `2026-12-05 15:59`, on the account's clock. */
export const minute = (moment: string): string => isoIn(moment).slice(0, 16).replace('T', ' ');

/**
 * A date that somebody chose, such as the end of a deal: as a day, where it is the beginning or the end of one here or for
 * the account whose date it is, whose zone is then named; otherwise to the minute.
 */
export function chosen(moment: string | null | undefined, edge: 'start' | 'end', owner = accountZone()): string | null {
  if (!moment) return null;
  if (isEdge(moment, edge, accountZone())) return day(moment);
  return isEdge(moment, edge, owner) ? `${day(moment, owner)} (${owner})` : minute(moment);
}

function isEdge(moment: string, edge: 'start' | 'end', zone: string): boolean {
  const beside = new Date(new Date(moment).getTime() + (edge === 'start' ? -1 : 1000)).toISOString();
  return day(beside, zone) !== day(moment, zone);
}

function offsetOf(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}
