import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { secondsOf } from '../keys/duration.ts';
import { WHICH, webhookOf } from './options.ts';

export const webhooksRotate = defineCommand({
  path: 'webhooks rotate',
  summary: 'Rotate the secret of a webhook or, with v1a, your key; the old one signs beside the new one for a while',
  operations: ['rotateWebhookSecret'],
  once: true,
  args: [...WHICH],
  options: { overlap: text('<time>', 'how long both sign, from 1h to 7d', { fallback: '24h' }) },
  examples: ['tonerow webhooks rotate https://example.com/hooks --overlap 24h'],
  async run({ context, args: [which], options }) {
    const overlap_hours = secondsOf(options.overlap, '--overlap') / 3600;
    if (!Number.isInteger(overlap_hours)) throw new UsageError('--overlap takes whole hours or days, such as 24h.');
    const { api, id } = await webhookOf(context, which);
    const made = await api.rotateWebhookSecret({ path: { id }, body: { overlap_hours } }, context.call);
    const { rotates_until: until, public_key } = made.webhook;
    if (made.secret) context.mask(made.secret);
    await context.print(made, `${made.secret ?? public_key}\n`);
    if (made.secret === null) {
      context.note(`All webhooks with v1a have this key. Until ${until} the old one signs too.`);
      return;
    }
    // one whose secret was lost has no old one
    context.note(
      until
        ? `Until ${until} both secrets sign. Store the new one before then.`
        : 'Store it now: it is never shown again.',
    );
  },
});
