import { defineCommand } from '#define/define-command.ts';
import { list } from '#output/table.ts';

export const importsGet = defineCommand({
  path: 'imports get',
  summary: 'Get the progress or result of an import',
  operations: ['getImport'],
  args: [['<id>', 'from "tonerow imports list"']],
  examples: ['tonerow imports get 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const found = await (await context.api()).getImport({ path: { id } }, context.call);
    await context.print(
      found,
      list([
        ['State', found.state],
        ['File', found.file_name],
        ['Lines', found.lines],
        ['Added', found.count],
        ['Known already', found.known],
        ['Rejected', found.rejected],
        ['Error', found.error],
      ]),
    );
  },
});
