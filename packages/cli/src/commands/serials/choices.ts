import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';
import { REDEEMED_FILTER, redeemedFilter } from './redeemed-filter.ts';

export const serialsChoices = defineCommand({
  path: 'serials choices',
  summary: 'What redeemed serials can be filtered by, with counts',
  operations: ['listRedeemedChoices'],
  options: REDEEMED_FILTER,
  examples: ['tonerow serials choices', 'tonerow serials choices --status download_limit'],
  async run({ context, options }) {
    const choices = await (await context.api()).listRedeemedChoices({ query: redeemedFilter(options) }, context.call);
    const rows = Object.entries(choices).flatMap(([kind, values]) =>
      values.map(({ value, label, count }) => [`--${kind}`, value, label, count]),
    );
    await context.print(
      choices,
      rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', 'SERIALS'], rows) : 'No serials found\n',
    );
  },
});
