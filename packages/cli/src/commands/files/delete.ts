import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';

export const filesDelete = defineCommand({
  path: 'files delete',
  summary: 'Delete a file that no product uses',
  operations: ['deleteFile', 'getFile'],
  args: [['<id>', 'from "tonerow files list"']],
  options: SURE,
  examples: ['tonerow files delete 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Permanently delete this file?',
      look: () => api.getFile({ path: { id } }, context.call),
      would: ({ name }) => `${name} would be deleted, unless a product uses it.`,
    });
    if (!sure) return;
    await api.deleteFile({ path: { id } }, context.call);
    context.note('The file has been deleted.');
  },
});
