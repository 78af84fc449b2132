import type { InputOf } from '@tonerow/sdk';
import { defineCommand } from '../../define-command.ts';
import { UsageError } from '../../exit.ts';
import { texts } from '../../option-types.ts';
import { counted } from '../../output/table.ts';

type Type = InputOf<'triggerWebhookEvent'>['body']['type'];

export const webhooksTrigger = defineCommand({
  path: 'webhooks trigger',
  summary: 'Send a sample event, marked as a test, to all webhooks that ask for it',
  operations: ['triggerWebhookEvent'],
  args: [['<type>', 'as "tonerow webhooks types" shows it']],
  options: { set: texts('<data.field=value>', 'a field that differs from the sample; may be repeated') },
  examples: ['tonerow webhooks trigger serial.redeemed', 'tonerow webhooks trigger stock.low --set data.available=3'],
  async run({ context, args: [type], options }) {
    const data = Object.fromEntries(options.set.map(fieldOf));
    const body = { type: type as Type, data };
    const sent = await (await context.api()).triggerWebhookEvent({ body }, context.call);
    const count = counted(sent.delivery_ids.length, 'webhook');
    await context.print(sent, `Event ${sent.event_id} goes to ${count}.\n`);
  },
});

/** `data.available=3`: JSON where it is JSON, text where it is not. */
function fieldOf(text: string): [string, unknown] {
  const [, name, value] = /^(?:data\.)?([a-z_]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError('--set takes a field such as data.available=3.');
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}
