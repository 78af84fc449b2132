import type { CustomerDetail } from '@tonerow/sdk';
import { type Command, DRY_RUN, PAGE, YES } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure } from '../exit.ts';
import { printRows } from '../output/rows.ts';
import { outOf, receive } from '../output/stream.ts';
import { day, list, money, table } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { REPORT, runImport } from './imports.ts';

const FILTER = [
  ['--search <text>', 'name, e-mail or day'],
  ['--range <range>', 'all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', 'all'],
] as const;
const WHO = [['<customer>', 'id or e-mail address']] as const;

/** A customer by id or address. */
async function find(context: Context, text: string): Promise<string> {
  if (/^[0-9a-f-]{36}$/i.test(text)) return text;
  const api = await context.api();
  // every address that has this one in it is found too
  for await (const each of api.paginate.listCustomers({ query: { search: text } }, context.call)) {
    if (each.email.toLowerCase() === text.toLowerCase()) return each.id;
  }
  throw new Failure(`You have no customer ${text}.`);
}

export const customerCommands: Command[] = [
  {
    path: 'customers list',
    summary: 'List customers, newest first',
    operations: ['listCustomers'],
    options: [...FILTER, ...PAGE],
    examples: ['tonerow customers list --range 1m', 'tonerow customers list --search example.com --all --json'],
    async run(context, _args, options) {
      const api = await context.api();
      const query = { search: options.search, dateRange: options.range };
      await printRows(context, api.paginate.listCustomers({ query }, context.call), options, {
        head: ['SIGNUP', 'FIRST', 'LAST', 'EMAIL', 'ID', 'LAST LOGIN', 'SERIALS'],
        cells: (row) => [
          day(row.signup_date),
          row.first_name,
          row.last_name,
          row.email,
          row.id,
          day(row.last_login),
          row.serials,
        ],
        none: 'No customers found.\n',
        more: '"tonerow customers export"',
      });
    },
  },
  {
    path: 'customers get',
    summary: 'One customer: serials, machines and activity',
    operations: ['getCustomer'],
    args: WHO,
    examples: ['tonerow customers get nina@example.com'],
    async run(context, [text]) {
      const id = await find(context, text as string);
      const customer = await (await context.api()).getCustomer({ path: { id } }, context.call);
      await context.print(customer, pageOf(customer));
    },
  },
  {
    path: 'customers export',
    summary: 'Customers as CSV',
    operations: ['exportCustomers'],
    options: [...FILTER, ['--out <file>', 'write to a file ("-" for standard output)', '-']],
    examples: ['tonerow customers export --out customers.csv'],
    async run(context, _args, options) {
      const api = await context.api();
      const query = { search: options.search, dateRange: options.range };
      const response = await api.stream.exportCustomers({ query }, { ...context.call, accept: 'text/csv' });
      await receive(context, response, outOf(options), 'Receiving');
    },
  },
  {
    path: 'customers import',
    summary: 'Import customers from a CSV; "tonerow serials demo customers" shows the columns',
    operations: ['importCustomers'],
    once: true,
    args: [['<file>', 'a CSV of any length']],
    options: [DRY_RUN, REPORT],
    examples: [
      'tonerow customers import people.csv --dry-run',
      'tonerow customers import people.csv --report rejected.csv',
    ],
    run: (context, [file], options) => runImport(context, 'customers', file as string, options),
  },
  {
    path: 'customers data',
    summary: 'Everything kept about one person, as JSON to hand over',
    operations: ['exportCustomerData'],
    args: WHO,
    options: [['--out <file>', 'write to a file', '-']],
    examples: ['tonerow customers data nina@example.com --out nina.json'],
    async run(context, [text], options) {
      const api = await context.api();
      const id = await find(context, text as string);
      await receive(
        context,
        await api.stream.exportCustomerData({ path: { id } }, context.call),
        outOf(options),
        'Receiving',
      );
    },
  },
  {
    path: 'customers erase',
    summary: 'Erase what is personal about one customer; serials and figures stay',
    operations: ['eraseCustomer'],
    args: WHO,
    options: [DRY_RUN, YES],
    examples: ['tonerow customers erase nina@example.com --dry-run', 'tonerow customers erase nina@example.com --yes'],
    async run(context, [text], options) {
      const api = await context.api();
      const id = await find(context, text as string);
      const erase = (dry_run: boolean) => api.eraseCustomer({ path: { id }, query: { dry_run } }, context.call);
      const would = await erase(true);
      const kept = `serials kept: ${would.serials_kept}`;
      if (options.dryRun) return context.print(would, `The name and the address would be erased; ${kept}.\n`);
      const question = `Erase ${text}? This cannot be undone; ${kept}.`;
      await confirm(context.io, { yes: options.yes, input: context.globals.input }, question);
      const done = await erase(false);
      await context.print(done, `${done.message}\n`);
    },
  },
];

function pageOf(customer: CustomerDetail): string {
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ');
  const facts = list([
    ['Name', name],
    ['E-mail', customer.email],
    ['Signup', customer.signup_date],
    ['Last login', customer.last_login],
    ['Spent', money(customer.total_spent)],
    ['Erased', customer.erased_at],
  ]);
  const serials = customer.serials.map((each) => [
    each.code,
    each.product_name,
    each.revoked ? 'revoked' : 'active',
    day(each.redeemed_at),
    `${each.download_count}/5`,
    `${each.seats_used}/${each.max_activations}`,
    money(each.total),
  ]);
  const activity = customer.activity.slice(0, 30).map((each) => [each.at, each.kind, each.serial_code, each.detail]);
  return [
    facts,
    serials.length > 0
      ? table(['SERIAL', 'PRODUCT', 'STATE', 'REDEEMED', 'DOWNLOADS', 'MACHINES', 'TOTAL'], serials)
      : '',
    activity.length > 0 ? table(['WHEN', 'WHAT', 'SERIAL', ''], activity) : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}
