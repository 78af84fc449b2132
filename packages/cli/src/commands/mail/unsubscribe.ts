import { defineCommand } from '../../define-command.ts';

export const mailUnsubscribe = defineCommand({
  path: 'mail unsubscribe',
  summary: 'Follow the link at the end of a letter',
  operations: ['unsubscribe'],
  args: [['<token>', 'from the link']],
  examples: ['tonerow mail unsubscribe LINK-TOKEN'],
  async run({ context, args: [token] }) {
    await (await context.client()).unsubscribe({ query: {}, body: { token } }, context.call);
    context.note('No more of these letters will come.');
  },
});
