import { domainToASCII } from 'node:url';

/** Letters, digits, dots and hyphens, ending in a dot and two or more letters, or in an internationalized suffix. */
const HOSTNAME = /^[a-z0-9.-]+\.([a-z]{2,}|xn--[a-z0-9-]+)$/;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MOST = 253;

/**
 * A host as it is kept: in ASCII, lower case, without a trailing dot. Null for what cannot be a public host name: an
 * address, a single word, `localhost`, or something with a port, a path or a user.
 */
export function hostName(text: string): string | null {
  const typed = text.trim();
  // domainToASCII accepts these by truncating or decoding parts of the input
  if (typed.length > 2 * MOST || /[\s\p{Cc}/\\:@?#[\]%]/u.test(typed)) return null;
  const host = domainToASCII(typed).replace(/\.$/, '');
  if (host.length > MOST || !HOSTNAME.test(host) || host.endsWith('.localhost')) return null;
  return host.split('.').every((label) => LABEL.test(label)) ? host : null;
}

/** The host that a Host header or a browser's `location.host` names: the same, with a port allowed. */
export function hostOfHeader(header: string): string | null {
  // such a header is ASCII; anything else was written by hand
  if (!/^[\x21-\x7e]{1,300}$/.test(header)) return null;
  return hostName(header.replace(/:\d{1,5}$/, ''));
}

/** Whether a host is this one or lies below it. */
export function isWithin(host: string, parent: string): boolean {
  return host === parent || host.endsWith(`.${parent}`);
}
