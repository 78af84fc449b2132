import { defineCommand } from '#define/define-command.ts';

export const dealsSeen = defineCommand({
  path: 'deals seen',
  summary: 'Take note of all answers to your requests, so that the bell no longer shows them',
  operations: ['seeDealAnswers'],
  examples: ['tonerow deals seen'],
  async run({ context }) {
    const answer = await (await context.api()).seeDealAnswers({}, context.call);
    await context.print(answer, 'Done.\n');
  },
});
