import type { PayoutDetail } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { list, money, table } from '#output/table.ts';
import { findPayoutId, WHICH } from './find.ts';

export const payoutsShow = defineCommand({
  path: 'payouts show',
  summary: 'Show a payout statement with its transactions',
  operations: ['getPayout', 'getDeveloperPayout', 'getMe', 'listPayouts', 'listDeveloperPayouts'],
  args: [...WHICH],
  examples: ['tonerow payouts show 2026-0007', 'tonerow payouts show 2026-0007 --json'],
  async run({ context, args: [text] }) {
    const id = await findPayoutId(context, text);
    const api = await context.api();
    const { is_reseller } = await api.getMe({}, context.call);
    const path = { id };
    const payout = is_reseller
      ? await api.getPayout({ path }, context.call)
      : await api.getDeveloperPayout({ path }, context.call);
    await context.print(payout, pageOf(payout));
    if (payout.next_cursor) context.note('There are more transactions: the CSV has all of them.');
  },
});

function pageOf(payout: PayoutDetail): string {
  const transactions = payout.transactions.map((each) => [
    each.redeemed_at,
    each.kind,
    each.product_name,
    each.code,
    each.email,
    money(each.final_price),
    money(each.commission_earned),
    each.reason,
  ]);
  const payments = payout.payments.map((each) => [
    each.n,
    each.paid_on,
    money(each.amount),
    each.method,
    each.reference,
    each.reason,
  ]);
  const messages = payout.messages.map((each) => [each.created_at, each.by, each.kind, each.text]);
  return [
    list([
      ['Statement', payout.number],
      ['Month (UTC)', payout.month],
      ['Developer', payout.developer_name],
      ['Reseller', payout.reseller_name],
      ['Redemptions', payout.total_redemptions],
      ['Average price', money(payout.avg_price)],
      ['Revenue', money(payout.total_revenue)],
      ['Commission rate', `${payout.commission_rate}%`],
      ['Reseller earned', money(payout.reseller_earned)],
      ['Developer owed', money(payout.developer_owed)],
      ['Adjustments', money(payout.adjustment_revenue - payout.adjustment_commission)],
      ['Brought forward', money(payout.brought_forward)],
      ['Due', money(payout.due)],
      ['Paid', money(payout.paid)],
      ['Outstanding', money(payout.outstanding)],
      ['Status', `${payout.label} (${payout.status})`],
      ['Digest', payout.digest],
    ]),
    transactions.length > 0
      ? table(['WHEN', 'WHAT', 'PRODUCT', 'CODE', 'EMAIL', 'PRICE', 'COMMISSION', 'REASON'], transactions)
      : '',
    payments.length > 0 ? table(['#', 'PAID ON', 'AMOUNT', 'METHOD', 'REFERENCE', 'REASON'], payments) : '',
    messages.length > 0 ? table(['WHEN', 'WHO', 'WHAT', 'TEXT'], messages) : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}
