import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printReseller } from './profile.ts';

export const resellersEnd = defineCommand({
  path: 'resellers end',
  summary: 'End a partnership; what is already out can still be redeemed and earns commission',
  operations: ['endReseller', 'listResellers'],
  args: [['<reseller>', 'name or id']],
  options: YES,
  examples: ['tonerow resellers end "Plugin Shop" --yes'],
  async run({ context, args: [reseller], options }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    await context.confirm(
      options.yes,
      'End this partnership? Your data is hidden from the reseller at once. Past transactions stay available to both of you.',
    );
    await printReseller(context, await api.endReseller({ path: { id } }, context.call));
  },
});
