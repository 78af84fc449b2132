import { accountZone, browserZone, type Edge, isEdge, sameClock, zoneInWords } from '../time/zone.ts';
import { dateFormat } from './locale.ts';

// a difference that rounds to nothing has no minus
const dollar = { style: 'currency', currency: 'USD', signDisplay: 'negative' } as const;
const money = new Intl.NumberFormat('en-US', dollar);
const price = new Intl.NumberFormat('en-US', { ...dollar, trailingZeroDisplay: 'stripIfInteger' });
const shortMoney = new Intl.NumberFormat('en-US', {
  ...dollar,
  notation: 'compact',
  maximumSignificantDigits: 3,
});
const exactMoney = new Intl.NumberFormat('en-US', { ...dollar, minimumFractionDigits: 3 });
const count = new Intl.NumberFormat('en-US');
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const utc = dateFormat({ dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const utcMonth = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });
const utcDay = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });

/** The API has prices of plans in cents, all others in dollars. */
export const toDollars = (cents: number) => cents / 100;
/** Amounts are added in cents, because fractions of dollars are not exact. */
export const toCents = (dollars: number) => Math.round(dollars * 100);
export const formatMoney = (dollars: number) => money.format(dollars);
/** `$29`, `$29.90`: of a plan. */
export const formatPrice = (dollars: number) => price.format(dollars);
/** `$1.2K`, for an axis. */
export const formatMoneyShort = (dollars: number) => shortMoney.format(dollars);
/** `$0.050`: what is billed is shown with three decimals. */
export const formatExactMoney = (dollars: number) => exactMoney.format(dollars);
export const formatCount = (value: number) => count.format(value);

const styles = {
  day: { dateStyle: 'medium' },
  moment: { dateStyle: 'medium', timeStyle: 'medium' },
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  exact: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
const zoned = new Map<string, Intl.DateTimeFormat>();

/** Formats are kept by style and zone, because making one takes longer than formatting a list of dates. */
function inZone(style: keyof typeof styles, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`;
  let format = zoned.get(key);
  if (!format) {
    const named = style === 'exact' && timeZone !== 'UTC' ? ({ timeZoneName: 'short' } as const) : {};
    format = dateFormat({ ...styles[style], ...named, timeZone });
    zoned.set(key, format);
  }
  return format;
}

/** A moment to the second, on the account's clock. */
export const formatMoment = (iso: string) => inZone('moment', accountZone()).format(new Date(iso));
/** A moment to the second, with the name that the zone has at that moment. */
export const formatExact = (iso: string, timeZone: string) => inZone('exact', timeZone).format(new Date(iso));
export const formatUtc = (iso: string) => utc.format(new Date(iso));
/** `March 2026`, of a moment in UTC. */
export const formatUtcMonth = (iso: string) => utcMonth.format(new Date(iso));
export const formatUtcDay = (iso: string) => utcDay.format(new Date(iso));
/** The day of what happened, on the account's clock. */
export const formatDay = (iso: string) => inZone('day', accountZone()).format(new Date(iso));

/**
 * A date that somebody chose, such as the end of a deal: as a day, where it is the beginning or the end of one for this account
 * or for the account whose date it is; otherwise to the minute. The zone is named where this browser's clock shows something
 * else.
 */
export function formatChosen(iso: string, edge: Edge, owner?: string): string {
  return chosenIn(iso, edge, { account: accountZone(), owner, browser: browserZone });
}

interface Clocks {
  account: string;
  owner: string | undefined;
  browser: string;
}

export function chosenIn(iso: string, edge: Edge, { account, owner = account, browser }: Clocks): string {
  const edgeZone = [account, owner].find((zone) => isEdge(iso, edge, zone));
  const zone = edgeZone ?? account;
  const text = inZone(edgeZone ? 'day' : 'minute', zone).format(new Date(iso));
  return sameClock(iso, zone, browser) ? text : `${text} (${zoneInWords(zone)})`;
}

const ZONE = / \([^()]*\)$/;

/** The days from one chosen date to another. If both are in the same zone, it is named once. */
export function formatWindow(from: string, until: string, owner?: string): string {
  const [first, last] = [formatChosen(from, 'start', owner), formatChosen(until, 'end', owner)];
  const same = ZONE.exec(first)?.[0] === ZONE.exec(last)?.[0];
  return `${same ? first.replace(ZONE, '') : first} – ${last}`;
}

/** `1 serial`, `1,200 serials`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** `3 days ago`, `in 2 hours`, `just now`. */
export function formatRelative(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return 'just now';
}

/** A code in blocks of four for reading aloud; codes with dashes of their own keep them. */
export function codeBlocks(code: string): string[] {
  if (code.includes('-')) return code.split('-');
  return /^[A-Z0-9]{16}$/.test(code) ? (code.match(/.{4}/g) ?? [code]) : [code];
}
