import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printReseller } from './profile.ts';

export const resellersShow = defineCommand({
  path: 'resellers show',
  summary: 'Show a reseller, what it sold, and the history of your partnership',
  operations: ['getReseller', 'listResellers'],
  args: [['<reseller>', 'name or id']],
  examples: ['tonerow resellers show "Plugin Shop"'],
  async run({ context, args: [reseller] }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    await printReseller(context, await api.getReseller({ path: { id } }, context.call));
  },
});
