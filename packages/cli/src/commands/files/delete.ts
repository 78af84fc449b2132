import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';

export const filesDelete = defineCommand({
  path: 'files delete',
  summary: 'Delete a file that no product uses',
  operations: ['deleteFile'],
  args: [['<id>', 'from "tonerow files list"']],
  options: YES,
  examples: ['tonerow files delete 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    await context.confirm(options.yes, 'Permanently delete this file?');
    await (await context.api()).deleteFile({ path: { id } }, context.call);
    context.note('The file has been deleted.');
  },
});
