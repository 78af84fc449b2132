import { defineCommand } from '#define/define-command.ts';
import { choiceTable } from '#output/choices.ts';
import { REDEEMED_FILTER, redeemedFilter } from './selection/redeemed-filter.ts';

export const serialsChoices = defineCommand({
  path: 'serials choices',
  summary: 'What redeemed serials can be filtered by, with counts',
  operations: ['listRedeemedChoices'],
  options: REDEEMED_FILTER,
  examples: ['tonerow serials choices', 'tonerow serials choices --status download_limit'],
  async run({ context, options }) {
    const choices = await (await context.api()).listRedeemedChoices(
      { query: await redeemedFilter(context, options) },
      context.call,
    );
    await context.print(choices, choiceTable(choices, 'SERIALS', 'No serials found'));
  },
});
