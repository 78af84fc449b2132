import { defineCommand } from '#define/define-command.ts';

export const dealsWithdraw = defineCommand({
  path: 'deals withdraw',
  summary: 'Withdraw a pending request for a deal',
  operations: ['withdrawDealRequest'],
  args: [['<id>', 'from "tonerow deals requests"']],
  examples: ['tonerow deals withdraw 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const request = await (await context.api()).withdrawDealRequest({ path: { id } }, context.call);
    await context.print(request, 'Request withdrawn.\n');
  },
});
