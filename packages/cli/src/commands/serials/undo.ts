import { DRY_RUN } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { during } from '#output/progress.ts';
import { counted } from '#output/table.ts';

export const serialsUndo = defineCommand({
  path: 'serials undo',
  summary: 'Take a change of many serials back, by the moment that it printed',
  operations: ['undoSerialChange'],
  args: [['<moment>', 'as printed after the change']],
  options: { ...DRY_RUN },
  examples: [
    'tonerow serials undo 2026-03-14T09:26:53.589Z --dry-run',
    'tonerow serials undo 2026-03-14T09:26:53.589Z',
  ],
  async run({ context, args: [changed_at], options }) {
    const api = await context.api();
    const body = { changed_at, dry_run: options.dryRun ?? false };
    const done = await during(context, body.dry_run ? 'Counting' : 'Changing back', () =>
      api.undoSerialChange({ body }, context.call),
    );
    const stay = done.skipped > 0 ? ` ${counted(done.skipped, 'serial')} changed since, and stay as they are.` : '';
    if (options.dryRun) {
      await context.print(done, `${counted(done.count, 'serial')} would be changed back.${stay}\n`);
      return;
    }
    await context.print(done, '');
    context.note(`Changed ${counted(done.count, 'serial')} back.${stay}`);
  },
});

/** How to take it back, after a change that can be. */
export const undoHint = (changed_at: string | undefined): string =>
  changed_at ? ` To take it back: tonerow serials undo ${changed_at}` : '';
