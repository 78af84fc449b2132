import { listPartnersStatus } from '@tonerow/sdk/values';
import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { printFieldsAsCsv } from '#output/files/csv.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';

const CSV_COLUMNS = [
  'id',
  'company_name',
  'first_name',
  'last_name',
  'email',
  'website',
  'business_address',
  'tax_id',
  'status',
  'since',
  'ended_at',
  'commission_rate',
  'total_redemptions',
  'total_revenue',
  'total_commission',
] as const;

export const partnersList = defineCommand({
  path: 'partners list',
  summary: 'List the developers you sell for (resellers)',
  operations: ['listPartners'],
  options: {
    status: choice('<status>', 'only partnerships in this state; default: all but ended ones', {
      values: listPartnersStatus,
    }),
    search: text('<text>', 'part of the name'),
    ...PAGE,
    ...CSV,
  },
  examples: ['tonerow partners list', 'tonerow partners list --status ended --all'],
  async run({ context, options }) {
    const { status, search, csv } = options;
    const developers = (await context.api()).paginate.listPartners({ query: { status, search } }, context.call);
    if (csv) return printFieldsAsCsv(context, CSV_COLUMNS, developers);
    await printRows(context, developers, options, {
      head: ['ID', 'NAME', 'COMMISSION', 'STATUS', 'REDEMPTIONS', 'EARNED'],
      cells: (each) => [
        each.id,
        each.company_name,
        `${each.commission_rate}%`,
        each.status,
        each.total_redemptions,
        money(each.total_commission),
      ],
      none: 'No developer partners found yet.\n',
    });
  },
});
