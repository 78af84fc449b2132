import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findTrustId } from '#input/find-by-name.ts';

export const trustRemove = defineCommand({
  path: 'trust remove',
  summary: 'Delete a trust; tokens that it issued stop working',
  operations: ['deleteTrust', 'listTrusts', 'getTrust'],
  args: [['<trust>', 'name or id']],
  options: SURE,
  examples: ['tonerow trust remove release --yes', 'tonerow trust remove release --dry-run'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const id = await findTrustId(api, text, context.io.signal);
    const sure = await context.sure(options, {
      question: 'Delete this trust? The tokens that it issued stop working, and its jobs are refused.',
      look: () => api.getTrust({ path: { id } }, context.call),
      would: ({ name }) => `The trust ${name} would be deleted, with the tokens that it issued.`,
    });
    if (!sure) return;
    await api.deleteTrust({ path: { id } }, context.call);
    context.note('The trust has been deleted.');
  },
});
