/** Letters, digits, dots and hyphens, ending in a dot and two letters or more; other scripts as they are written. */
const pattern = /^[\p{L}\p{N}.-]+\.(\p{L}{2,}|xn--[a-z0-9-]+)$/iu;

/** The host in what was typed or pasted: an address loses its scheme, its path and a closing dot. */
export function hostIn(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export const isHost = (text: string) =>
  pattern.test(text) && text.split('.').every((label) => /^[^-].*(?<!-)$/u.test(label));

/** The name of a record as most providers ask for it: relative to the zone, which is two parts, or three as with `co.uk`. */
export function recordHost(domain: string | null): string {
  if (domain === null) return 'app';
  const parts = domain.split('.');
  const zone = parts.length > 3 && /\.[a-z]{2,3}\.[a-z]{2}$/.test(domain) ? 3 : 2;
  return parts.slice(0, -zone).join('.') || '@';
}

/** `example.com` itself can't be an alias of anything. */
export const isBare = (domain: string) => domain.split('.').length === 2;
