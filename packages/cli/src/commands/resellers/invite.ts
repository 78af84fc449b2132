import { defineCommand } from '#define/define-command.ts';
import { percent, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { invited } from '../invites/invited.ts';

export const resellersInvite = defineCommand({
  path: 'resellers invite',
  summary: 'Invite resellers by email; each gets an invitation once a day at most',
  operations: ['inviteResellers', 'listResellers'],
  once: true,
  args: [['<email...>', 'the shops’ addresses']],
  options: {
    rate: percent('<percent>', 'their commission; default: 20'),
    message: text('<text>', 'a personal message for the email'),
    claim: text('<reseller>', 'name or id of a named reseller that the account takes over, with its serials'),
  },
  examples: [
    'tonerow resellers invite shop@example.com --rate 25 --message "Sell our spring bundle?"',
    'tonerow resellers invite shop@example.com --claim "Plugin Shop"',
  ],
  async run({ context, args: [...emails], options: { rate, message, claim } }) {
    if (claim !== undefined && emails.length > 1) throw new UsageError('--claim takes one email address.');
    const api = await context.api();
    const partnership_id = claim === undefined ? undefined : await findResellerId(api, claim, context.io.signal);
    const body = { emails, message, commission_rate: rate, partnership_id };
    await invited(context, await api.inviteResellers({ body }, context.call));
  },
});
