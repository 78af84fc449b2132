import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';

export const importsDiscard = defineCommand({
  path: 'imports discard',
  summary: 'Discard a file that was read and not imported',
  operations: ['discardImport', 'getImport'],
  args: [['<id>', 'from "tonerow imports list"']],
  options: SURE,
  examples: ['tonerow imports discard 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Discard this file? Nothing of it is imported.',
      look: () => api.getImport({ path: { id } }, context.call),
      would: ({ file_name }) => `${file_name} would be discarded.`,
    });
    if (!sure) return;
    await api.discardImport({ path: { id } }, context.call);
    context.note('The file has been discarded. Nothing of it was imported.');
  },
});
