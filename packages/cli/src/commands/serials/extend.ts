import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { day } from '../../output/table.ts';

/** A day, or `never`. */
const dayOf = (value: string | undefined) => (value === 'never' ? null : value);

export const serialsExtend = defineCommand({
  path: 'serials extend',
  summary: 'Extend a batch: until when its serials can be redeemed, and its deal lasts',
  operations: ['changeBatch'],
  args: [['<batch>', 'id of the batch']],
  options: {
    expires: text('<day>', 'until when they can be redeemed, such as 2026-12-31, or "never"'),
    promoExpires: text('<day>', 'until when the deal lasts, or "never"'),
  },
  examples: ['tonerow serials extend 01900000-0000-7000-8000-000000000001 --expires 2027-06-30'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const { expires, promoExpires } = options;
    const batch = await api.changeBatch(
      {
        path: { id },
        body: {
          ...(expires === undefined ? {} : { expires_at: dayOf(expires) }),
          ...(promoExpires === undefined ? {} : { promo_expires: dayOf(promoExpires) }),
        },
      },
      context.call,
    );
    await context.print(batch, '');
    context.note(`Its serials can be redeemed ${batch.expires_at ? `until ${day(batch.expires_at)}` : 'for good'}.`);
  },
});
