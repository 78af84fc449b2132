import { defineCommand } from '#define/define-command.ts';
import { amount, number, percent } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { list, money, table } from '#output/table.ts';
import { day } from '#output/zone.ts';

export const payoutsWhatIf = defineCommand({
  path: 'payouts what-if',
  summary: 'What a reseller’s last months would have brought at another rate or price',
  operations: ['whatIfReseller', 'listResellers'],
  args: [['<reseller>', 'name or id']],
  options: {
    rate: percent('<percent>', 'another commission rate'),
    price: amount('<dollars>', 'another price of each sale'),
    months: number('<n>', 'months before the current one', { fallback: '3' }),
  },
  examples: [
    'tonerow payouts what-if "Plugin Shop" --rate 25',
    'tonerow payouts what-if "Plugin Shop" --price 29 --months 6',
  ],
  async run({ context, args: [text], options: { rate, price, months } }) {
    if (price === null) throw new UsageError('--price takes dollars, such as 29.');
    const api = await context.api();
    const id = await findResellerId(api, text, context.io.signal);
    const query = { months, commission_rate: rate, promo_price: price };
    const answer = await api.whatIfReseller({ path: { id }, query }, context.call);
    const { actual, what_if: other } = answer;
    await context.print(
      answer,
      [
        table(
          ['', 'REVENUE', 'COMMISSION', 'OWED TO YOU'],
          [
            ['As it was', money(actual.revenue), money(actual.commission), money(actual.owed)],
            ['What if', money(other.revenue), money(other.commission), money(other.owed)],
          ],
        ),
        list([
          ['Period (UTC)', `${day(answer.from, 'UTC')} to ${day(answer.to, 'UTC')}`],
          ['Redemptions', answer.redemptions],
          ['Difference', money(answer.difference)],
          [
            'Break-even',
            answer.break_even_redemptions === null ? 'never' : `${answer.break_even_redemptions} redemptions`,
          ],
        ]),
      ].join('\n'),
    );
  },
});
