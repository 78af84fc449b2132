import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { Failure } from '#exit.ts';
import { listed } from '#input/listed.ts';

export const dealsWithdraw = defineCommand({
  path: 'deals withdraw',
  summary: 'Withdraw a pending request for a deal',
  operations: ['withdrawDealRequest', 'listOwnDealRequests'],
  args: [['<id>', 'from "tonerow deals requests"']],
  options: SURE,
  examples: ['tonerow deals withdraw 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Withdraw this request?',
      look: () =>
        listed(api.paginate.listOwnDealRequests({ query: {} }, context.call), (each) => each.id === id, 'Request'),
      would: ({ product_name, status }) => {
        if (status === 'withdrawn') return 'It is already withdrawn.';
        if (status !== 'pending') throw new Failure(`This request is already ${status}.`, 'conflict');
        return `The request for ${product_name} would be withdrawn.`;
      },
    });
    if (!sure) return;
    const request = await api.withdrawDealRequest({ path: { id } }, context.call);
    await context.print(request, 'Request withdrawn.\n');
  },
});
