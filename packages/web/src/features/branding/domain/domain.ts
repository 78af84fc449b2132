/** Letters, digits, dots and hyphens, ending in a dot and two letters or more; other scripts are allowed. */
const pattern = /^[\p{L}\p{N}.-]+\.(\p{L}{2,}|xn--[a-z0-9-]+)$/iu;

/** The host from what was typed or pasted: strips the scheme, the path and a trailing dot. */
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

/** The record's name as most providers want it: relative to the zone, which has two labels, or three as in `co.uk`. */
export function recordHost(domain: string | null): string {
  if (domain === null) return 'app';
  const parts = domain.split('.');
  const zone = parts.length > 3 && /\.[a-z]{2,3}\.[a-z]{2}$/.test(domain) ? 3 : 2;
  return parts.slice(0, -zone).join('.') || '@';
}

/** An apex domain such as `example.com` can't have a CNAME. */
export const isBare = (domain: string) => domain.split('.').length === 2;
