import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printReseller } from './profile.ts';

export const resellersEnd = defineCommand({
  path: 'resellers end',
  summary: 'End a partnership; what is already out can still be redeemed and earns commission',
  operations: ['endReseller', 'listResellers', 'getReseller'],
  args: [['<reseller>', 'name or id']],
  options: SURE,
  examples: ['tonerow resellers end "Plugin Shop" --yes'],
  async run({ context, args: [reseller], options }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    const sure = await context.sure(options, {
      question:
        'End this partnership? Your data is hidden from the reseller at once. Past transactions stay available to both of you.',
      look: () => api.getReseller({ path: { id } }, context.call),
      would: ({ company_name }) => `The partnership with ${company_name} would end.`,
    });
    if (!sure) return;
    await printReseller(context, await api.endReseller({ path: { id } }, context.call));
  },
});
