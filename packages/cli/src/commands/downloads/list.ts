import { defineCommand } from '#define/define-command.ts';
import { cards } from './cards.ts';
import { opened, TOKEN } from './token.ts';

export const downloadsList = defineCommand({
  path: 'downloads list',
  summary: 'List the products a download token opens',
  operations: ['listRedeemedProducts'],
  options: TOKEN,
  examples: ['tonerow downloads list --token-file download-token.txt'],
  async run({ context, options }) {
    const products = await opened(context, options);
    await context.print(products, cards(products));
  },
});
