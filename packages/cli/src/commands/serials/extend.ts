import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findBatchId } from '#input/find-by-name.ts';
import { given } from '#input/given-values.ts';
import { chosen } from '#output/zone.ts';

/** A day, or `never`. */
const dayOf = (value: string | undefined) => (value === 'never' ? null : value);

export const serialsExtend = defineCommand({
  path: 'serials extend',
  summary: 'Change the dates of a batch: when its serials can be redeemed, and its promo runs',
  operations: ['changeBatch'],
  args: [['<batch>', 'tag or id of the batch']],
  options: {
    expires: text('<day>', 'until when they can be redeemed, such as 2026-12-31, or "never"'),
    promoStart: text('<day>', 'the first day on which they can be redeemed, or "now"'),
    promoExpires: text('<day>', 'until when the promo lasts, or "never"'),
  },
  examples: [
    'tonerow serials extend "Spring Sale" --promo-expires 2027-06-30',
    'tonerow serials extend "Spring Sale" --promo-start now',
    'tonerow serials extend 01900000-0000-7000-8000-000000000001 --expires 2027-06-30',
  ],
  async run({ context, args: [name], options }) {
    const api = await context.api();
    const id = await findBatchId(api, name, context.call.signal);
    const { expires, promoStart, promoExpires } = options;
    const body = given({
      expires_at: dayOf(expires),
      promo_start: promoStart === 'now' ? null : promoStart,
      promo_expires: dayOf(promoExpires),
    });
    const batch = await api.changeBatch({ path: { id }, body }, context.call);
    await context.print(batch, '');
    if (expires !== undefined) context.note(`Its serials can be redeemed ${until(batch.expires_at)}.`);
    if (promoStart !== undefined) context.note(`Its serials can be redeemed ${since(batch.promo_start)}.`);
    if (promoExpires !== undefined) context.note(`Its promo lasts ${until(batch.promo_expires)}.`);
  },
});

const since = (date: string | null) => (date ? `from ${chosen(date, 'start')} on` : 'at once');
const until = (date: string | null) => (date ? `until ${chosen(date, 'end')}` : 'for good');
