import { defineCommand } from '#define/define-command.ts';
import { findSerialId } from '#input/find-by-name.ts';

export const serialsResend = defineCommand({
  path: 'serials resend',
  summary: 'Send the customer the email with the serial and the downloads again',
  operations: ['resendSerialEmail'],
  args: [['<serial>', 'code or id']],
  examples: ['tonerow serials resend ABCD-EFGH-2345-6789'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const id = await findSerialId(api, text, context.io.signal);
    const sent = await api.resendSerialEmail({ path: { id } }, context.call);
    await context.print(sent, '');
    context.note(sent.email ? `Sent to ${sent.email}.` : 'Sent.');
  },
});
