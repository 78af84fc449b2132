import { scopesOf } from '@tonerow/sdk/routes';
import { defineCommand } from '../../define-command.ts';
import { UsageError } from '../../exit.ts';
import { choices, text } from '../../option-types.ts';
import { SCOPES } from './scopes.ts';

export const tokensCreate = defineCommand({
  path: 'tokens create',
  summary: 'Create an access token for scripts; it is shown once',
  operations: ['getMe', 'createAccessToken'],
  once: true,
  args: [['<name>', 'what it is for']],
  options: {
    expires: text('<date>', 'such as 2027-01-31'),
    scope: choices('<scope>', 'what it may do, such as serials:write, or stock:write for a reseller', SCOPES),
  },
  examples: ['tonerow tokens create ci --scope products:read --scope serials:write'],
  async run({ context, args: [name], options }) {
    if (options.scope.length === 0) throw new UsageError('Give at least one --scope, such as --scope serials:write.');
    const expires_at = options.expires ? momentOf(options.expires) : undefined;
    const api = await context.api();
    const { role } = await api.getMe({}, context.call);
    const fitting: readonly string[] = scopesOf[role];
    const wrong = options.scope.find((scope) => !fitting.includes(scope));
    if (wrong) throw new UsageError(`${wrong} is of no use to a ${role}. Scopes for a ${role}: ${fitting.join(', ')}.`);
    const created = await api.createAccessToken({ body: { name, scopes: options.scope, expires_at } }, context.call);
    context.note('This token is shown once. Keep it safe:');
    await context.print(created, `${created.token}\n`);
  },
});

function momentOf(text: string): string {
  const moment = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);
  if (Number.isNaN(moment)) throw new UsageError('--expires takes a date such as 2027-01-31.');
  return new Date(moment).toISOString();
}
