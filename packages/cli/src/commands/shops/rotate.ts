import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { secondsOf } from '../keys/duration.ts';
import { shopOf, WHICH } from './options.ts';
import { secretFile, secretIfGiven } from './secrets.ts';

export const shopsRotate = defineCommand({
  path: 'shops rotate',
  summary: 'Rotate the secret of a shop; the old one is accepted beside the new one for a while',
  operations: ['rotateShopSecret'],
  once: true,
  args: [...WHICH],
  options: {
    overlap: text('<time>', 'how long both are accepted, from 1h to 7d', { fallback: '24h' }),
    secretFile: secretFile('the new secret that the shop shows; without it we make one, where it takes ours'),
  },
  examples: ['tonerow shops rotate "My shop" --overlap 24h'],
  async run({ context, args: [which], options }) {
    const overlap_hours = secondsOf(options.overlap, '--overlap') / 3600;
    if (!Number.isInteger(overlap_hours)) throw new UsageError('--overlap takes whole hours or days, such as 24h.');
    const body = { overlap_hours, secret: await secretIfGiven(context, options.secretFile) };
    const { api, id } = await shopOf(context, which);
    const made = await api.rotateShopSecret({ path: { id }, body }, context.call);
    await context.print(made, made.secret ? `${made.secret}\n` : '');
    const until = made.shop.rotates_until;
    context.note(
      `${made.secret ? 'Paste it into the shop: it is never shown again.' : 'The new secret is kept.'}${
        until ? ` Until ${until} both are accepted.` : ''
      }`,
    );
  },
});
