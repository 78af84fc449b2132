import { defineCommand } from '#define/define-command.ts';

export const importsDiscard = defineCommand({
  path: 'imports discard',
  summary: 'Discard a file that was read and not imported',
  operations: ['discardImport'],
  args: [['<id>', 'from "tonerow imports list"']],
  options: {},
  examples: ['tonerow imports discard 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    await (await context.api()).discardImport({ path: { id } }, context.call);
    context.note('The file has been discarded. Nothing of it was imported.');
  },
});
