import { createTrustScopes } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choices, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';

const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'https://gitlab.com';

export const trustAdd = defineCommand({
  path: 'trust add',
  summary: 'Trust jobs of a repository: they get tokens for 15 minutes, without a secret',
  operations: ['createTrust'],
  once: true,
  args: [['<name>', 'what it is for']],
  options: {
    github: text('<repository_id>', 'a repository at GitHub, by its number: gh api repos/OWNER/NAME --jq .id'),
    gitlab: text('<project_id>', 'a project at GitLab, by its number'),
    issuer: text('<url>', 'address of a GitLab of your own, with --gitlab'),
    branch: text('<branch>', 'only jobs on this branch'),
    environment: text('<name>', 'only jobs that deploy to this environment'),
    scope: choices('<scope>', 'what the jobs may do, such as serials:write', createTrustScopes),
  },
  examples: [
    'tonerow trust add release --github 123456789 --branch main --scope products:read --scope serials:write',
    'tonerow trust add release --gitlab 4711 --issuer https://gitlab.example.com --environment production --scope serials:write',
  ],
  async run({ context, args: [name], options }) {
    const { github, gitlab, branch, environment, scope } = options;
    const repository_id = github ?? gitlab;
    if (repository_id === undefined || (github !== undefined && gitlab !== undefined))
      throw new UsageError('Give either --github or --gitlab.');
    if (github !== undefined && options.issuer !== undefined)
      throw new UsageError('--issuer goes with --gitlab: GitHub has one issuer.');
    if (branch === undefined && environment === undefined)
      throw new UsageError('Give --branch, --environment, or both.');
    if (scope.length === 0) throw new UsageError('Give at least one --scope, such as --scope serials:write.');
    const issuer = options.issuer ?? (github === undefined ? GITLAB : GITHUB);
    const body = { name, issuer, repository_id, branch, environment, scopes: scope };
    const made = await (await context.api()).createTrust({ body }, context.call);
    context.note(
      made.provider === 'github'
        ? 'Its jobs need "permissions: id-token: write", and this id as TONEROW_TRUST. It is no secret:'
        : `Its jobs need an id token TONEROW_ID_TOKEN with "aud: ${made.audience}", and this id as TONEROW_TRUST. It is no secret:`,
    );
    await context.print(made, `${made.id}\n`);
  },
});
