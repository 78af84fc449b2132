import type { AddressRules } from '#platform/egress/address-rules.ts';
import { urlProblem } from '#platform/egress/url-rules.ts';

/** The issuer of GitHub Actions' identity tokens. */
const GITHUB = 'https://token.actions.githubusercontent.com';

/** The provider whose claims an issuer's tokens use. Every issuer but GitHub's is a GitLab. */
export type Provider = 'github' | 'gitlab';

export const providerOf = (issuer: string): Provider => (issuer === GITHUB ? 'github' : 'gitlab');

/** An issuer as its tokens name it: without a slash at the end. */
export function issuerOf(text: string): string {
  return URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;
}

/** The problem with an issuer that an account names, as a sentence; null when there is none. */
export function issuerProblem(issuer: string, rules: AddressRules): string | null {
  if (issuer === GITHUB) return null;
  if (!URL.canParse(issuer)) return `Enter an address such as ${GITHUB} or https://gitlab.com.`;
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:') return 'The address must begin with https.';
  if (/(^|\.)(github\.com|githubusercontent\.com)$/.test(hostname)) return `GitHub’s issuer is ${GITHUB}.`;
  if (issuer.includes('?')) return 'The address must not have a query.';
  return urlProblem(issuer, rules);
}
