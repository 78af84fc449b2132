import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList, isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { type CountryResponse, Reader } from 'mmdb-lib';

/** Port: the country of an address, ISO 3166-1 alpha-2, or null. */
export type CountryOf = (request: {
  ip: string;
  headers: Record<string, string | string[] | undefined>;
  socket: { remoteAddress?: string | undefined };
}) => string | null;

/**
 * The country that a trusted proxy writes into a header, else what the database in the package says of the address.
 * @param trusted addresses and networks of proxies. Whoever else reaches the server writes what they like into headers.
 */
export function countryOfRequest(header: string | undefined, trusted: string[] | false): CountryOf {
  if (!header || !trusted) return ({ ip }) => countryOfAddress(ip);
  const isTrusted = compile(trusted);
  return ({ ip, headers, socket: { remoteAddress: peer } }) =>
    (peer !== undefined && isTrusted(peer, 0) ? countryCode(headers[header]) : null) ?? countryOfAddress(ip);
}

/** By a database of the registries' own tables, of IPv4 and IPv6, which comes as a package and is in the public domain. */
export function countryOfAddress(ip: string): string | null {
  const address = ip.toLowerCase().startsWith('::ffff:') ? ip.slice(7) : ip;
  const version = isIP(address);
  if (version === 0) return null;
  if (version === 4 ? unrouted4.check(address) : unrouted6.check(address, 'ipv6')) return null;
  return countryCode(database().get(address)?.country_code);
}

interface Found {
  country_code?: string;
}

const require = createRequire(import.meta.url);
let loaded: Reader<Found & CountryResponse> | undefined;

/** Read at the first question, so that starting does not wait for its eight megabytes. */
function database() {
  loaded ??= new Reader(
    readFileSync(require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')),
  );
  return loaded;
}

// XX is how proxies say that they do not know
function countryCode(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value)) return null;
  const code = value.toUpperCase();
  return code === 'XX' ? null : code;
}

const unrouted4 = new BlockList();
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
  unrouted4.addSubnet(network, bits, 'ipv4');
}
// apart, because a list takes an address of version 4 for one of version 6; only 2000::/3 is handed out, and some of it is for
// examples and tunnels
const unrouted6 = new BlockList();
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  unrouted6.addSubnet(network, bits, 'ipv6');
}
