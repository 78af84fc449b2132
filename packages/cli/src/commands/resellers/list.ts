import type { InputOf } from '@tonerow/sdk';
import { CSV } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { UsageError } from '../../exit.ts';
import { choice, everyOf, flag, text } from '../../option-types.ts';
import { printCsv } from '../../output/csv.ts';
import { money, table } from '../../output/table.ts';

type Status = NonNullable<NonNullable<InputOf<'listResellers'>['query']>['status']>;

const CSV_COLUMNS = [
  'id',
  'company_name',
  'name',
  'first_name',
  'last_name',
  'email',
  'website',
  'business_address',
  'tax_id',
  'status',
  'since',
  'merged_into',
  'commission_rate',
  'total_redemptions',
  'total_revenue',
  'total_commission',
  'low_stock_threshold',
  'low_stock_products',
] as const;

export const resellersList = defineCommand({
  path: 'resellers list',
  summary: 'List the resellers you work with',
  operations: ['listResellers', 'listConnectedResellers'],
  options: {
    status: choice('<status>', 'only partnerships in this state; default: all but ended and merged ones', {
      values: everyOf<Status>({ named: 0, active: 0, paused: 0, ended: 0, merged: 0 }),
    }),
    search: text('<text>', 'part of the name'),
    connected: flag('only those who can sell now'),
    ...CSV,
  },
  examples: ['tonerow resellers list', 'tonerow resellers list --status ended --csv > past.csv'],
  async run({ context, options: { status, search, connected, csv } }) {
    if (connected && (status || search)) throw new UsageError('Use --connected alone.');
    const api = await context.api();
    const resellers = connected
      ? await api.listConnectedResellers({}, context.call)
      : await api.listResellers({ query: { status, search } }, context.call);
    if (csv) {
      const rows = resellers.map((each) => CSV_COLUMNS.map((name) => each[name]));
      return printCsv(context, [...CSV_COLUMNS], rows);
    }
    const rows = resellers.map((each) => [
      each.id,
      each.company_name,
      `${each.commission_rate}%`,
      each.status,
      each.total_redemptions,
      money(each.total_commission),
      each.low_stock_products > 0 ? `${each.low_stock_products} low` : '',
    ]);
    const head = ['ID', 'NAME', 'COMMISSION', 'STATUS', 'REDEMPTIONS', 'EARNED', 'STOCK'];
    await context.print(resellers, rows.length === 0 ? 'No reseller partners found yet.\n' : table(head, rows));
  },
});
