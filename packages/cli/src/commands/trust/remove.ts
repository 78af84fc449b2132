import { defineCommand } from '#define/define-command.ts';
import { findTrustId } from '#input/find-by-name.ts';

export const trustRemove = defineCommand({
  path: 'trust remove',
  summary: 'Delete a trust; tokens that it issued stop working',
  operations: ['deleteTrust', 'listTrusts'],
  args: [['<trust>', 'name or id']],
  examples: ['tonerow trust remove release'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const id = await findTrustId(api, text, context.io.signal);
    await api.deleteTrust({ path: { id } }, context.call);
    context.note('The trust has been deleted.');
  },
});
