import { defineCommand } from '#define/define-command.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';

export const downloadsRelease = defineCommand({
  path: 'downloads release',
  summary: 'Release the seat of a machine that is no longer used',
  operations: ['releaseMachine'],
  args: [
    ['<token>', `the end of the link, after open=${OR_STDIN}`],
    ['<machine>', 'its id, from "tonerow downloads open"'],
  ],
  examples: ['tonerow downloads release LINK-TOKEN 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [token, machine] }) {
    const body = { token: await givenToken(context, token), machine_id: machine };
    await (await context.client()).releaseMachine({ body }, context.call);
    context.note('The seat has been released.');
  },
});
