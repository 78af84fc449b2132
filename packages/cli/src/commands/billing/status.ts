import { defineCommand } from '#define/define-command.ts';
import { list, money, toDollars } from '#output/table.ts';
import { day } from '#output/zone.ts';
import { confirmPage } from './confirm-page.ts';

const WORDS = {
  paid: 'active',
  open: 'needs attention',
  failed: 'inactive',
  uncollectible: 'inactive',
  none: 'no billing record',
} as const;

export const billingStatus = defineCommand({
  path: 'billing status',
  summary: 'Show the state of your account, and what is billed next',
  operations: ['getSubscriptionStatus'],
  examples: ['tonerow billing status'],
  async run({ context }) {
    const status = await (await context.api()).getSubscriptionStatus({}, context.call);
    const { last_amount_cents: last } = status;
    const asked = status.attention === 'confirm_payment' ? status.invoice_id : null;
    const confirm: [string, string][] = asked === null ? [] : [['Confirm it at', await confirmPage(context, asked)]];
    await context.print(
      status,
      list([
        ['Account', WORDS[status.status]],
        ['Owed', money(toDollars(status.amount_due))],
        ['Why', status.error],
        [
          'Last billed',
          status.last_billed_at && `${day(status.last_billed_at, 'UTC')}, ${money(toDollars(last ?? 0))}`,
        ],
        ['Next billed', `${day(status.next_billed_at, 'UTC')}, ${money(toDollars(status.next_amount_cents))} so far`],
        ...confirm,
      ]),
    );
  },
});
