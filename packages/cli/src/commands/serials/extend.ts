import { defineCommand } from '../../define-command.ts';
import { given } from '../../given.ts';
import { text } from '../../option-types.ts';
import { day } from '../../output/table.ts';
import { findBatchId } from '../../resolve.ts';

/** A day, or `never`. */
const dayOf = (value: string | undefined) => (value === 'never' ? null : value);

export const serialsExtend = defineCommand({
  path: 'serials extend',
  summary: 'Extend a batch: until when its serials can be redeemed, and its deal lasts',
  operations: ['changeBatch'],
  args: [['<batch>', 'tag or id of the batch']],
  options: {
    expires: text('<day>', 'until when they can be redeemed, such as 2026-12-31, or "never"'),
    promoExpires: text('<day>', 'until when the deal lasts, or "never"'),
  },
  examples: [
    'tonerow serials extend "Spring Sale" --promo-expires 2027-06-30',
    'tonerow serials extend 01900000-0000-7000-8000-000000000001 --expires 2027-06-30',
  ],
  async run({ context, args: [name], options }) {
    const api = await context.api();
    const id = await findBatchId(api, name, context.call.signal);
    const { expires, promoExpires } = options;
    const body = given({
      expires_at: dayOf(expires),
      promo_expires: dayOf(promoExpires),
    });
    const batch = await api.changeBatch({ path: { id }, body }, context.call);
    await context.print(batch, '');
    if (expires !== undefined) context.note(`Its serials can be redeemed ${until(batch.expires_at)}.`);
    if (promoExpires !== undefined) context.note(`Its deal lasts ${until(batch.promo_expires)}.`);
  },
});

const until = (date: string | null) => (date ? `until ${day(date)}` : 'for good');
