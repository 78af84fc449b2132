import { listResellersStatus } from '@tonerow/sdk/values';
import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { printFieldsAsCsv } from '#output/files/csv.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';

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
      values: listResellersStatus,
    }),
    search: text('<text>', 'part of the name'),
    connected: flag('only those who can sell now'),
    ...PAGE,
    ...CSV,
  },
  examples: ['tonerow resellers list', 'tonerow resellers list --status ended --csv > past.csv'],
  async run({ context, options }) {
    const { status, search, connected, csv } = options;
    if (connected && (status || search)) throw new UsageError('Use --connected alone.');
    const { paginate } = await context.api();
    const resellers = connected
      ? paginate.listConnectedResellers({}, context.call)
      : paginate.listResellers({ query: { status, search } }, context.call);
    if (csv) return printFieldsAsCsv(context, CSV_COLUMNS, resellers);
    await printRows(context, resellers, options, {
      head: ['ID', 'NAME', 'COMMISSION', 'STATUS', 'REDEMPTIONS', 'EARNED', 'STOCK'],
      cells: (each) => [
        each.id,
        each.company_name,
        `${each.commission_rate}%`,
        each.status,
        each.total_redemptions,
        money(each.total_commission),
        each.low_stock_products > 0 ? `${each.low_stock_products} low` : '',
      ],
      none: 'No reseller partners found yet.\n',
    });
  },
});
