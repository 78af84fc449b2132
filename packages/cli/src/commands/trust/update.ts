import { updateTrustScopes } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choices, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findTrustId } from '#input/find-by-name.ts';
import { trustCard } from './card.ts';

export const trustUpdate = defineCommand({
  path: 'trust update',
  summary: 'Change a trust; tokens that it issued stop working',
  operations: ['updateTrust', 'listTrusts'],
  shows: ['updateTrust'],
  args: [['<trust>', 'name or id']],
  options: {
    name: text('<text>', 'a new name'),
    repository: text('<id>', 'another repository or project, by its number'),
    branch: text('<branch>', 'only jobs on this branch; "" for any, with an environment'),
    environment: text('<name>', 'only jobs that deploy to this environment; "" for any, with a branch'),
    scope: choices('<scope>', 'what the jobs may do from now on: all of it', updateTrustScopes),
  },
  examples: [
    'tonerow trust update release --branch "" --environment production',
    'tonerow trust update release --scope account:read --scope products:read --scope serials:write',
  ],
  async run({ context, args: [text], options }) {
    const { name, repository: repository_id, branch, environment, scope } = options;
    const body = { name, repository_id, branch, environment, scopes: scope.length > 0 ? scope : undefined };
    if (Object.values(body).every((value) => value === undefined))
      throw new UsageError('Give --name, --repository, --branch, --environment or --scope.');
    const api = await context.api();
    const id = await findTrustId(api, text, context.io.signal);
    const trust = await api.updateTrust({ path: { id }, body }, context.call);
    await context.print(trust, trustCard(trust));
  },
});
