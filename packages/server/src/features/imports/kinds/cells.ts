import { testKindOf } from '#features/serials';
import { parseEmail } from '#platform/text/email-address.ts';
import { composed, tidyLine } from '#platform/text/text.ts';
import { CellError } from './cell-error.ts';

const PRINTABLE = /^[^\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2066-\u2069]+$/u;

/** 4 to 128 printable characters. */
export function code(text: string): string {
  if (text === '') throw new CellError('The serial is missing.');
  if (text.length < 4 || text.length > 128) throw new CellError('A serial must have 4 to 128 characters.');
  if (!PRINTABLE.test(text)) throw new CellError('The serial has invisible characters.');
  if (testKindOf(text) !== null)
    throw new CellError('Serials of this form are reserved for testing and cannot be imported.');
  return text;
}

/** A name or a tag, as forms take it; null for an empty cell. */
export function line(text: string, column: string, max: number): string | null {
  const checked = prose(text, column, max);
  return checked && (tidyLine(checked) || null);
}

/** Text of a length, or null for an empty cell. */
export function prose(cell: string, column: string, max: number): string | null {
  const text = composed(cell);
  if (text === '') return null;
  if (text.length > max) throw new CellError(`${column} is longer than ${max} characters.`);
  if (/[\0\p{Cs}]/u.test(text)) throw new CellError(`${column} has characters that cannot be stored.`);
  return text;
}

export function email(text: string): string {
  if (text === '') throw new CellError('The email address is missing.');
  const address = parseEmail(text);
  if (address === null) throw new CellError(`This is not an email address: "${text.slice(0, 80)}".`);
  return address;
}

const YES = new Set([
  'yes',
  'y',
  'true',
  '1',
  'revoked',
  'x',
  'disabled',
  'blocked',
  'suspended',
  'banned',
  'refunded',
]);
// the end of a license means `expired`, and `inactive` means without a machine
const NO = new Set([
  '',
  'no',
  'n',
  'false',
  '0',
  'active',
  'inactive',
  'expired',
  'pending',
  'sold',
  'delivered',
  'enabled',
  'valid',
]);

export function flag(text: string, column: string): boolean {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new CellError(`${column} must be yes or no: "${text.slice(0, 40)}".`);
}

const AWAY = new Set(['yes', 'y', 'true', '1', 'x', '2', 'sold', 'delivered', 'used', 'redeemed', 'assigned']);
const HERE = new Set(['', 'no', 'n', 'false', '0', '3', 'active', 'available', 'unsold', 'in stock', 'unused', 'new']);
const DEAD = new Set(['4', '5', 'inactive', 'disabled', 'blocked', 'revoked', 'suspended', 'expired', 'cancelled']);

/** Whether a serial was given to somebody before it came here; by the words of systems that sell codes, and their numbers. */
export function handedOut(text: string): boolean {
  const word = text.toLowerCase();
  if (AWAY.has(word)) return true;
  if (HERE.has(word)) return false;
  if (DEAD.has(word)) throw new CellError('This serial is not active where it came from.');
  throw new CellError(`Handed Out must be yes or no: "${text.slice(0, 40)}".`);
}

/** 0 to 5; more downloads than there can be count as all of them. `2/5` is 2. */
export function downloads(text: string): number {
  if (text === '') return 0;
  const match = /^(\d{1,6})(?:\s*\/\s*\d+)?$/.exec(text);
  if (!match) throw new CellError(`Downloads is not a number: "${text.slice(0, 40)}".`);
  return Math.min(5, Number(match[1]));
}

const countries = countryNames();

/** Two letters (ISO 3166-1) or the English name; null when empty or `Unknown`. */
export function country(text: string): string | null {
  const key = text.toLowerCase();
  if (key === '' || key === 'unknown') return null;
  const found = countries.get(key);
  if (!found) throw new CellError(`Unknown country: "${text.slice(0, 40)}".`);
  return found;
}

function countryNames(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const first of letters) {
    for (const second of letters) {
      const alpha2 = first + second;
      const name = names.of(alpha2);
      if (!name || alpha2 === 'ZZ') continue;
      found.set(name.toLowerCase(), alpha2);
      found.set(alpha2.toLowerCase(), alpha2);
    }
  }
  // withdrawn codes share their name with current ones; and the variants that people write
  for (const [name, alpha2] of [
    ['united kingdom', 'GB'],
    ['uk', 'GB'],
    ['usa', 'US'],
    ['united states of america', 'US'],
    ['germany', 'DE'],
    ['france', 'FR'],
    ['russia', 'RU'],
    ['serbia', 'RS'],
    ['türkiye', 'TR'],
    ['turkey', 'TR'],
  ] as const) {
    found.set(name, alpha2);
  }
  return found;
}

/** The note of batches whose licenses end, where it is searched for. */
export const endNote = (day: string) => `License until ${day} where it came from`;

const MOST_MACHINES = 100;

/** Ids of machines, with commas, semicolons, bars or line ends between them; none twice. */
export function machines(text: string): string[] {
  const ids = [...new Set(text.split(/[,;|\n]/).flatMap((each) => composed(each).trim() || []))];
  if (ids.length > MOST_MACHINES) throw new CellError(`Machines has more than ${MOST_MACHINES} ids.`);
  for (const id of ids) {
    if (id.length > 200) throw new CellError('An id of a machine is longer than 200 characters.');
    if (!PRINTABLE.test(id)) throw new CellError('An id of a machine has invisible characters.');
  }
  return ids;
}
