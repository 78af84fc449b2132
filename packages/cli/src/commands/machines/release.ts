import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';

export const machinesRelease = defineCommand({
  path: 'machines release',
  summary: 'Release the seat of a machine',
  operations: ['releaseSerialMachine'],
  args: [['<id>', 'from "tonerow machines list"']],
  options: YES,
  examples: ['tonerow machines release 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    await context.confirm(options.yes, 'Release this machine’s seat?');
    const done = await (await context.api()).releaseSerialMachine({ path: { id } }, context.call);
    await context.print(done, '');
    context.note(done.released ? 'The seat has been released.' : 'It was already released.');
  },
});
