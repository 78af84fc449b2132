import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printReseller } from './profile.ts';

export const resellersResume = defineCommand({
  path: 'resellers resume',
  summary: 'Resume a paused partnership',
  operations: ['resumeReseller', 'listResellers'],
  args: [['<reseller>', 'name or id']],
  examples: ['tonerow resellers resume "Plugin Shop"'],
  async run({ context, args: [reseller] }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    await printReseller(context, await api.resumeReseller({ path: { id } }, context.call));
  },
});
