import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { downloadToken, TOKEN } from './token.ts';

export const downloadsHelp = defineCommand({
  path: 'downloads help',
  summary: 'Write to the maker of a plugin that you own; the answer comes by email',
  operations: ['requestHelp'],
  args: [['<serial>', 'the code']],
  options: {
    ...TOKEN,
    message: text('<text>', 'what you need help with'),
  },
  examples: [
    'tonerow downloads help ABCD-EFGH-2345-6789 --message "Please reset my downloads." --token-file download-token.txt',
  ],
  async run({ context, args: [serial], options }) {
    const message = options.message ?? (await context.ask({ text: 'Message: ', instead: '--message' }));
    const body = { download_token: await downloadToken(context, options), serial, message };
    const answer = await (await context.client()).requestHelp({ body }, context.call);
    context.note(answer.message);
  },
});
