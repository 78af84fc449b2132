import { q } from '#lib/queries/operation.ts';

export const tokensQuery = q('listAccessTokens');

const MOST = 5;

/** What a new password does to access tokens; undefined where there are none. */
export function tokensWarning(names: readonly string[] | undefined): string | undefined {
  if (!names?.length) return undefined;
  const shown = names.slice(0, MOST).join(', ');
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
  const [what, verb] = names.length === 1 ? ['Your access token', 'is'] : ['Your access tokens', 'are'];
  return `${what} ${shown}${more} ${verb} deleted too: scripts need new ones.`;
}
