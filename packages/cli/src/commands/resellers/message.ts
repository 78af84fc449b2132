import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';

export const resellersMessage = defineCommand({
  path: 'resellers message',
  summary: 'Email a reseller; replies go to your email address',
  operations: ['messageReseller', 'listResellers'],
  once: true,
  args: [
    ['<reseller>', 'name or id'],
    ['<text>', 'the message, plain text'],
  ],
  examples: ['tonerow resellers message "Plugin Shop" "New presets are out on Friday."'],
  async run({ context, args: [reseller, message] }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    const sent = await api.messageReseller({ path: { id }, body: { message } }, context.call);
    await context.print(sent, `${sent.message}\n`);
  },
});
