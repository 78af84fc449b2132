import type { ShopOrder } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { list, money, table } from '#output/table.ts';
import { ORDER } from './options.ts';

export const shopsOrder = defineCommand({
  path: 'shops order',
  summary: 'Show an order: what came, and what was made of it',
  operations: ['getShopOrder'],
  args: [...ORDER],
  examples: ['tonerow shops order 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const { order } = await (await context.api()).getShopOrder({ path: { id } }, context.call);
    await context.print(order, textOf(order));
  },
});

/** An order as it is shown. */
export function textOf(order: ShopOrder): string {
  const facts = list([
    ['Number', order.number],
    ['Shop', order.shop_name],
    ['State', order.state],
    ['Customer', [order.first_name, order.last_name, order.email].filter(Boolean).join(' ')],
    ['Code for the customer', order.pickup_code],
    [
      'Same sale as',
      order.duplicate_of &&
        `${order.duplicate_of.number} of ${order.duplicate_of.shop_name} (${order.duplicate_of.id})`,
    ],
    ['Paid', order.paid && `${order.paid} ${order.currency}`],
    ['In dollars', money(order.paid_usd)],
    ['Paid at', order.paid_at],
    ['Found in its list', order.found_at],
  ]);
  const units = order.lines.flatMap((line) =>
    line.product_ids === null
      ? [[line.name, 'not mapped', line.keys.join(' '), null]]
      : line.units.map((unit) => [line.name, unit.state, unit.code, money(unit.paid_usd)]),
  );
  const reasons = order.reasons.map(({ text }) => `${text}\n`).join('');
  const back = order.reversals.map((each) => [each.key, each.kind, each.state, each.amount, each.happened_at]);
  return [
    facts,
    reasons,
    order.note && `${order.note}\n`,
    table(['LINE', 'STATE', 'CODE', 'PAID'], units),
    ...(back.length > 0 ? [table(['REFUND OR DISPUTE', 'KIND', 'STATE', 'AMOUNT', 'AT'], back)] : []),
  ]
    .filter(Boolean)
    .join('\n');
}
