import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { givenToken, OR_STDIN } from '#input/given-token.ts';

export const emailsUnsubscribe = defineCommand({
  path: 'emails unsubscribe',
  summary: 'Unsubscribe with the link at the end of an email',
  operations: ['unsubscribe'],
  args: [['<token>', `from the link${OR_STDIN}`]],
  options: {
    again: flag('get emails from a developer about new versions again'),
  },
  examples: ['tonerow emails unsubscribe LINK-TOKEN'],
  async run({ context, args: [token], options }) {
    const body = { token: await givenToken(context, token), ...(options.again ? { updates: 'again' as const } : {}) };
    const { message } = await (await context.client()).unsubscribe({ query: {}, body }, context.call);
    context.note(message);
  },
});
