import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printReseller } from './profile.ts';

export const resellersPause = defineCommand({
  path: 'resellers pause',
  summary: 'Pause a partnership: the reseller no longer sees your products, deals and stock',
  operations: ['pauseReseller', 'listResellers', 'getReseller'],
  args: [['<reseller>', 'name or id']],
  options: SURE,
  examples: ['tonerow resellers pause "Plugin Shop" --yes'],
  async run({ context, args: [reseller], options }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    const sure = await context.sure(options, {
      question: 'Pause this partnership? The reseller loses access to your products and stock until you resume it.',
      look: () => api.getReseller({ path: { id } }, context.call),
      would: ({ company_name }) => `The partnership with ${company_name} would be paused.`,
    });
    if (!sure) return;
    await printReseller(context, await api.pauseReseller({ path: { id } }, context.call));
  },
});
