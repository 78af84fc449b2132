import { defineCommand } from '#define/define-command.ts';
import { findTokenId } from '#input/find-by-name.ts';

export const tokensDelete = defineCommand({
  path: 'tokens delete',
  summary: 'Delete an access token',
  operations: ['deleteAccessToken', 'listAccessTokens'],
  args: [['<token>', 'name or id']],
  examples: ['tonerow tokens delete ci'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const id = await findTokenId(api, text, context.io.signal);
    await api.deleteAccessToken({ path: { id } }, context.call);
    context.note('The token has been deleted.');
  },
});
