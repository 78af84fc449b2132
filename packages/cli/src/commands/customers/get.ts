import type { CustomerDetail } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { standingCell, standingLines } from '#output/standing.ts';
import { list, money, table } from '#output/table.ts';
import { day } from '#output/zone.ts';
import { customerOf, WHO } from './find.ts';

export const customersGet = defineCommand({
  path: 'customers get',
  summary: 'Get a customer with serials, machines and activity',
  operations: ['getCustomer'],
  args: WHO,
  examples: ['tonerow customers get nina@example.com'],
  async run({ context, args: [text] }) {
    const { api, id } = await customerOf(context, text);
    const customer = await api.getCustomer({ path: { id } }, context.call);
    await context.print(customer, pageOf(customer));
  },
});

function pageOf(customer: CustomerDetail): string {
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ');
  const facts = list([
    ['Name', name],
    ['Email', customer.email],
    ['Signup', customer.signup_date],
    ['Last login', customer.last_login],
    ['Spent', money(customer.total_spent)],
    ['No updates since', customer.no_updates_at],
    ['Erased', customer.erased_at],
  ]);
  const serials = customer.serials.map((each) => [
    each.code,
    each.product_name,
    standingCell(each.standing),
    day(each.redeemed_at),
    `${each.download_count}/5`,
    `${each.seats_used}/${each.max_activations}`,
    money(each.total),
  ]);
  const activity = customer.activity.slice(0, 30).map((each) => [each.at, each.kind, each.serial_code, each.detail]);
  return [
    `${standingLines(customer.standing, 'customer').join('\n')}\n`,
    facts,
    serials.length > 0
      ? table(['SERIAL', 'PRODUCT', 'STATE', 'REDEEMED', 'DOWNLOADS', 'MACHINES', 'TOTAL'], serials)
      : '',
    activity.length > 0 ? table(['WHEN', 'WHAT', 'SERIAL', ''], activity) : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}
