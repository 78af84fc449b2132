import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { endOfImport } from '#input/import-steps.ts';

export const importsUndo = defineCommand({
  path: 'imports undo',
  summary: 'Take an import back, while nothing was built on what it brought',
  operations: ['undoImport', 'getImport'],
  args: [['<id>', 'from "tonerow imports list"']],
  options: {
    rest: flag('leave what something was built on, and take back the rest'),
    ...DRY_RUN,
    ...YES,
  },
  examples: ['tonerow imports undo 01900000-0000-7000-8000-000000000001 --dry-run'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const { rest, dryRun } = options;
    const look = await api.undoImport({ path: { id }, query: { dry_run: true } }, context.call);
    for (const { reason, count, examples } of look.kept)
      context.note(
        `  ${count} stay (${reason.replaceAll('_', ' ')}): ${examples.join(', ')}${count > examples.length ? ' …' : ''}`,
      );
    if (look.kept.length > 0 && !rest) context.note('--rest leaves these and takes back the rest.');
    if (dryRun) {
      await context.print(look, look.kept.length === 0 ? 'Nothing prevents it.\n' : '');
      return;
    }
    await context.confirm(options.yes, `Take back ${look.import.file_name}, which added ${look.import.count}?`);
    await api.undoImport({ path: { id }, query: { rest } }, context.call);
    const done = await endOfImport(context, api, id);
    await context.print(done, '');
    context.note(`${done.file_name} was taken back.`);
  },
});
