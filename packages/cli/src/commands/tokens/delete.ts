import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findTokenId } from '#input/find-by-name.ts';
import { listed } from '#input/listed.ts';

export const tokensDelete = defineCommand({
  path: 'tokens delete',
  summary: 'Delete an access token',
  operations: ['deleteAccessToken', 'listAccessTokens'],
  args: [['<token>', 'name or id']],
  options: SURE,
  examples: ['tonerow tokens delete ci --yes', 'tonerow tokens delete ci --dry-run'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const id = await findTokenId(api, text, context.io.signal);
    const sure = await context.sure(options, {
      question: 'Delete this access token? Scripts that use it are refused.',
      look: async () => listed(await api.listAccessTokens({}, context.call), (each) => each.id === id, 'Access token'),
      would: ({ name, last_used_at }) =>
        `The access token ${name} would be deleted, last used ${last_used_at ?? 'never'}.`,
    });
    if (!sure) return;
    await api.deleteAccessToken({ path: { id } }, context.call);
    context.note('The token has been deleted.');
  },
});
