import type { AnswerOf } from '@tonerow/sdk';
import { list } from '#output/table.ts';

/** A trust, with what its jobs need. */
export function trustCard(trust: AnswerOf<'getTrust'>): string {
  const atGitHub = trust.provider === 'github';
  return list([
    ['Id', trust.id],
    ['Name', trust.name],
    ['Issuer', trust.issuer],
    [atGitHub ? 'Repository' : 'Project', trust.repository_id],
    ['Branch', trust.branch],
    ['Environment', trust.environment],
    ['Scopes', trust.scopes.join(' ')],
    ['Last used', trust.last_used_at],
    ['In its jobs', `TONEROW_TRUST=${trust.id}`],
    ['Needs', atGitHub ? 'permissions: id-token: write' : `an id token TONEROW_ID_TOKEN with aud: ${trust.audience}`],
  ]);
}
