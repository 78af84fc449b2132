import { defineCommand } from '../../define-command.ts';

export const emailsUnsubscribe = defineCommand({
  path: 'emails unsubscribe',
  summary: 'Unsubscribe with the link at the end of an email',
  operations: ['unsubscribe'],
  args: [['<token>', 'from the link']],
  examples: ['tonerow emails unsubscribe LINK-TOKEN'],
  async run({ context, args: [token] }) {
    await (await context.client()).unsubscribe({ query: {}, body: { token } }, context.call);
    context.note('You will no longer receive these emails.');
  },
});
