import { defineCommand } from '../../define-command.ts';
import { findTokenId } from '../../resolve.ts';

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
