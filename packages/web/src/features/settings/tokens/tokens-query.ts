import { q } from '#lib/queries/operation.ts';

export const tokensQuery = q('listAccessTokens');

export const trustsQuery = q('listTrusts');

const MOST = 5;

/** Warns that a new password deletes access tokens; undefined if there are none. */
export function tokensWarning(names: readonly string[] | undefined): string | undefined {
  return warning('access token', names, 'scripts need new ones');
}

/** The same of trusts for CI. */
export function trustsWarning(names: readonly string[] | undefined): string | undefined {
  return warning('trust for CI', names, names?.length === 1 ? 'its jobs are refused' : 'their jobs are refused');
}

function warning(what: string, names: readonly string[] | undefined, therefore: string): string | undefined {
  if (!names?.length) return undefined;
  const shown = names.slice(0, MOST).join(', ');
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
  const [many, verb] = names.length === 1 ? [what, 'is'] : [what.replace(/^(access token|trust)/, '$1s'), 'are'];
  return `Your ${many} ${shown}${more} ${verb} deleted too: ${therefore}.`;
}
