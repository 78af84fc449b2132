import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';

/**
 * The problem with an address that an account chose, as a sentence; null when there is none. Each connection checks
 * whether its host resolves to something that may be reached.
 */
export function urlProblem(text: string, rules: AddressRules): string | null {
  if (!URL.canParse(text)) return 'Enter an address such as https://example.com/hooks.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.opened))
    return 'The address must begin with https.';
  if (url.username !== '' || url.password !== '') return 'The address must not hold a user name or password.';
  if (url.hash !== '' || text.includes('#')) return 'The address must not have a fragment.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0)
    return rules.isOpened(host) ? portProblem(url, rules) : 'Use a host name, not a network address.';
  if (!rules.opened && isLocal(host)) return 'The host must be public.';
  return portProblem(url, rules);
}

function portProblem(url: URL, rules: AddressRules): string | null {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port === 443 || port >= 1024 || (port === 80 && rules.opened)) return null;
  return 'Use port 443, or one from 1024 on.';
}

/** Names that never belong to a public host. */
function isLocal(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || /\.(localhost|local|internal|home\.arpa|test|invalid|onion)$/.test(name);
}
