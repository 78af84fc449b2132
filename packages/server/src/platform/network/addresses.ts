import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IP address in full notation, or null. One of version 4 inside one of version 6 (`::ffff:192.0.2.1`) is of version 4. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // the library alone takes shorthand such as 10.1, too
  return isIP(text) === 0 ? null : ipaddr.process(text);
}

/**
 * The subject that a rate limit counts for an address. An IPv6 client has a network of 64 bits, and could call from
 * another address of it each time, so its network counts. Text that is no address stays as it is.
 */
export function addressOf(subject: string): string {
  const address = parseAddress(subject);
  if (address === null) return subject;
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}
