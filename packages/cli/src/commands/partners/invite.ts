import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { invited } from '../invites/invited.ts';

export const partnersInvite = defineCommand({
  path: 'partners invite',
  summary: 'Ask a developer by email to sell their products (resellers)',
  operations: ['inviteDeveloper'],
  once: true,
  args: [['<email>', 'the developer’s address']],
  options: { message: text('<text>', 'a personal message for the email') },
  examples: ['tonerow partners invite ada@example.com --message "We would love to sell Prism Delay."'],
  async run({ context, args: [email], options: { message } }) {
    const api = await context.api();
    await invited(context, await api.inviteDeveloper({ body: { email, message } }, context.call));
  },
});
