import { defineCommand } from '#define/define-command.ts';
import { required, text } from '#define/option-types.ts';

export const dealsDecline = defineCommand({
  path: 'deals decline',
  summary: 'Decline a reseller’s request for a deal ("serials generate --deal-request" accepts one)',
  operations: ['declineDealRequest'],
  args: [['<id>', 'from "tonerow deals requests"']],
  options: { reason: required(text('<text>', 'shown to the reseller'), 'Give a reason: --reason TEXT.') },
  examples: ['tonerow deals decline 01900000-0000-7000-8000-000000000001 --reason "Too low for us"'],
  async run({ context, args: [id], options: { reason } }) {
    const api = await context.api();
    const request = await api.declineDealRequest({ path: { id }, body: { reason } }, context.call);
    await context.print(request, 'Request declined.\n');
  },
});
