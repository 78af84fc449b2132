import type { Cents } from '#platform/money.ts';
import type { LineSnapshot, OrderSnapshot } from '../connectors/port.ts';
import { centsAt, type RateSource, splitByWorth } from '../money.ts';

// Merges versions of an order that come in any order: the newest version counts, and the most that was ever paid for
// stays. Pure, so that every order of arrival can be tried.

export interface KnownLine {
  externalId: string;
  position: number;
  keys: readonly string[];
  sku: string | null;
  name: string;
  /** The quantity in the newest version. */
  quantity: number;
  /** The most that was ever paid for. */
  paidQuantity: number;
  netMinor: number;
  /** Its part of what was paid in all, with tax; null: not known. */
  grossMinor: number | null;
  /** When the version was made that its money is from. */
  moneyAt: Date;
  currency: string;
  usdCents: Cents | null;
  rate: string | null;
  rateSource: RateSource;
  isRenewal: boolean;
  /** The products that the seller named; null: it has to be mapped. */
  productIds: readonly string[] | null;
}

export interface KnownOrder {
  number: string;
  isTest: boolean;
  paidAt: Date | null;
  canceledAt: Date | null;
  versionAt: Date | null;
  emailAsSold: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  language: string | null;
  country: string | null;
  currency: string | null;
  /** Other ids of it. */
  knownAs: readonly string[];
  lines: readonly KnownLine[];
}

/** Dollars for one of a currency when an order was paid; null: not known. */
export type RateOf = (currency: string) => string | null;

export const unknownOrder = (number: string): KnownOrder => ({
  number,
  isTest: false,
  paidAt: null,
  canceledAt: null,
  versionAt: null,
  emailAsSold: null,
  email: null,
  firstName: null,
  lastName: null,
  language: null,
  country: null,
  currency: null,
  knownAs: [],
  lines: [],
});

/** An order with one more version of it. */
export function merge(known: KnownOrder, version: OrderSnapshot, rateOf: RateOf): KnownOrder {
  const isNewer = known.versionAt === null || version.versionAt > known.versionAt;
  const before = new Map(known.lines.map((line) => [line.externalId, line]));
  const named = new Set(version.lines.map(({ id }) => id));
  const grosses = grossesOf(version);
  const lines = version.lines.map((line, at) => {
    const old = before.get(line.id);
    const position = isNewer || !old ? at : old.position;
    return mergeLine(old, line, { version, grossMinor: grosses?.[at] ?? null, position, isNewer, rateOf });
  });
  // lines that the newest version no longer has
  const removed = known.lines
    .filter(({ externalId }) => !named.has(externalId))
    .map((line) => (isNewer ? { ...line, quantity: 0 } : line));
  const paidAt = earliest(known.paidAt, version.paidAt);
  const fields = isNewer ? versionFields(version) : knownFields(known);
  return {
    ...fields,
    paidAt,
    versionAt: isNewer ? version.versionAt : known.versionAt,
    knownAs: [...new Set([...known.knownAs, ...(version.knownAs ?? [])])].sort(),
    // the address that it was first sold to
    emailAsSold: known.emailAsSold ?? version.email,
    lines: [...lines, ...removed].sort((a, b) => a.position - b.position || (a.externalId < b.externalId ? -1 : 1)),
  };
}

const earliest = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b));

/** Splits the total paid by the worth of each line, so that it is from the same version as the line's money. */
const grossesOf = ({ grossMinor, lines }: OrderSnapshot): number[] | null =>
  grossMinor != null && grossMinor > 0
    ? splitByWorth(
        grossMinor,
        lines.map(({ netMinor }) => netMinor),
      )
    : null;

interface Version {
  version: OrderSnapshot;
  grossMinor: number | null;
  position: number;
  isNewer: boolean;
  rateOf: RateOf;
}

type OrderFields = Omit<KnownOrder, 'paidAt' | 'versionAt' | 'emailAsSold' | 'knownAs' | 'lines'>;

const versionFields = (version: OrderSnapshot): OrderFields => ({
  number: version.number,
  isTest: version.isTest,
  canceledAt: version.canceledAt,
  email: version.email,
  firstName: version.firstName,
  lastName: version.lastName,
  language: version.language,
  country: version.country,
  currency: version.currency,
});

function knownFields({
  number,
  isTest,
  canceledAt,
  email,
  firstName,
  lastName,
  language,
  country,
  currency,
}: KnownOrder): OrderFields {
  return { number, isTest, canceledAt, email, firstName, lastName, language, country, currency };
}

function mergeLine(
  old: KnownLine | undefined,
  line: LineSnapshot,
  { version, grossMinor, position, isNewer, rateOf }: Version,
): KnownLine {
  const paid = version.paidAt === null ? 0 : line.quantity;
  const paidQuantity = Math.max(old?.paidQuantity ?? 0, paid);
  const source: Pick<KnownLine, 'keys' | 'sku' | 'name'> =
    old && !isNewer ? old : { keys: line.keys, sku: line.sku, name: line.name };
  const isMoneyNew =
    !old ||
    (!line.isUnpriced &&
      (paid > old.paidQuantity ||
        (paid === old.paidQuantity && (paid > 0 || old.paidQuantity === 0) && version.versionAt > old.moneyAt)));
  return {
    externalId: line.id,
    position,
    keys: source.keys,
    sku: source.sku,
    name: source.name,
    // an older version that has a line which the newest one lacks; a code that is wanted beside others is of a line of its own
    quantity: isNewer || (!old && line.isUnpriced) ? line.quantity : (old?.quantity ?? 0),
    paidQuantity,
    ...(isMoneyNew ? moneyOf(line, { version, grossMinor, rateOf }, old) : moneyKept(old)),
    isRenewal: line.isRenewal ?? old?.isRenewal ?? false,
    productIds: line.productIds ?? old?.productIds ?? null,
  };
}

type Money = Pick<KnownLine, 'netMinor' | 'grossMinor' | 'moneyAt' | 'currency' | 'usdCents' | 'rate' | 'rateSource'>;

const moneyKept = ({ netMinor, grossMinor, moneyAt, currency, usdCents, rate, rateSource }: KnownLine): Money => ({
  netMinor,
  grossMinor,
  moneyAt,
  currency,
  usdCents,
  rate,
  rateSource,
});

/** A line's money in dollars: as is, as the shop reports it, by its previous rate or its day's, or not at all. */
function moneyOf(
  line: LineSnapshot,
  { version, grossMinor, rateOf }: Pick<Version, 'version' | 'grossMinor' | 'rateOf'>,
  old: KnownLine | undefined,
): Money {
  const { currency } = version;
  const base = { netMinor: line.netMinor, grossMinor, moneyAt: version.versionAt, currency };
  if (line.isUnpriced) return { ...base, usdCents: null, rate: null, rateSource: 'list' };
  if (currency === 'USD') return { ...base, usdCents: line.netMinor, rate: '1', rateSource: 'dollars' };
  if (line.usdCents != null) return { ...base, usdCents: line.usdCents, rate: null, rateSource: 'shop' };
  if (line.netMinor === 0) return { ...base, usdCents: 0, rate: null, rateSource: 'day' };
  const isKept = old?.rateSource === 'day' && old.paidQuantity > 0 && old.currency === currency;
  const kept = isKept ? old.rate : null;
  const rate = kept ?? rateOf(currency);
  const usdCents = rate === null ? null : centsAt(line.netMinor, currency, rate);
  return usdCents === null
    ? { ...base, usdCents: null, rate: null, rateSource: 'list' }
    : { ...base, usdCents, rate, rateSource: 'day' };
}
