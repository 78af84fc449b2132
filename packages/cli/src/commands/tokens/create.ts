import { scopesOf } from '@tonerow/sdk/routes';
import { createAccessTokenScopes } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choices, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';

export const tokensCreate = defineCommand({
  path: 'tokens create',
  summary: 'Create an access token for scripts; it is shown once',
  operations: ['getMe', 'createAccessToken'],
  once: true,
  args: [['<name>', 'what it is for']],
  options: {
    expires: text('<date>', 'until when it works, such as 2027-01-31'),
    scope: choices(
      '<scope>',
      'what it may do, such as serials:write, or stock:write for a reseller',
      createAccessTokenScopes,
    ),
  },
  examples: ['tonerow tokens create ci --scope products:read --scope serials:write'],
  async run({ context, args: [name], options }) {
    if (options.scope.length === 0) throw new UsageError('Give at least one --scope, such as --scope serials:write.');
    const api = await context.api();
    const { role } = await api.getMe({}, context.call);
    const fitting: readonly string[] = scopesOf[role];
    const wrong = options.scope.find((scope) => !fitting.includes(scope));
    if (wrong) throw new UsageError(`${wrong} is of no use to a ${role}. Scopes for a ${role}: ${fitting.join(', ')}.`);
    const body = { name, scopes: options.scope, expires_at: options.expires };
    const created = await api.createAccessToken({ body }, context.call);
    context.note('This token is shown once. Keep it safe:');
    context.mask(created.token);
    await context.print(created, `${created.token}\n`);
  },
});
