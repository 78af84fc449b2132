import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compile } from '@fastify/proxy-addr';
import { type CountryResponse, Reader } from 'mmdb-lib';
import { parseAddress } from './addresses.ts';

/** Port: the country of an address, ISO 3166-1 alpha-2, or null. */
export type CountryOf = (request: {
  ip: string;
  headers: Record<string, string | string[] | undefined>;
  socket: { remoteAddress?: string | undefined };
}) => string | null;

/**
 * The country from a trusted proxy's header, otherwise from the bundled database by address.
 * @param trusted addresses and networks of proxies. Anyone else can put anything into headers.
 */
export function countryOfRequest(header: string | undefined, trusted: string[] | false): CountryOf {
  if (!header || !trusted) return ({ ip }) => countryOfAddress(ip);
  const isTrusted = compile(trusted);
  return ({ ip, headers, socket: { remoteAddress: peer } }) =>
    (peer !== undefined && isTrusted(peer, 0) ? countryCode(headers[header]) : null) ?? countryOfAddress(ip);
}

/**
 * Looks up the country in a database of the registries' own tables, of IPv4 and IPv6, which comes as a package and is
 * in the public domain.
 */
export function countryOfAddress(ip: string): string | null {
  const address = parseAddress(ip);
  // private, reserved and tunneled addresses are nowhere
  if (address?.range() !== 'unicast') return null;
  return countryCode(database().get(address.toString())?.country_code);
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

// proxies use XX for an unknown country
function countryCode(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[A-Za-z]{2}$/.test(value)) return null;
  const code = value.toUpperCase();
  return code === 'XX' ? null : code;
}
