import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printReseller } from './profile.ts';

export const resellersPause = defineCommand({
  path: 'resellers pause',
  summary: 'Pause a partnership: the reseller no longer sees your products, deals and stock',
  operations: ['pauseReseller', 'listResellers'],
  args: [['<reseller>', 'name or id']],
  options: YES,
  examples: ['tonerow resellers pause "Plugin Shop" --yes'],
  async run({ context, args: [reseller], options }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    await context.confirm(
      options.yes,
      'Pause this partnership? The reseller loses access to your products and stock until you resume it.',
    );
    await printReseller(context, await api.pauseReseller({ path: { id } }, context.call));
  },
});
