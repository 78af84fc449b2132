import type { InputOf } from '@tonerow/sdk';
import { CSV } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { choice, everyOf } from '../../option-types.ts';
import { printCsv } from '../../output/csv.ts';
import { money, table } from '../../output/table.ts';

type Status = NonNullable<NonNullable<InputOf<'listPartners'>['query']>['status']>;

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
      values: everyOf<Status>({ active: 0, paused: 0, ended: 0 }),
    }),
    ...CSV,
  },
  examples: ['tonerow partners list', 'tonerow partners list --status ended'],
  async run({ context, options: { status, csv } }) {
    const developers = await (await context.api()).listPartners({ query: { status } }, context.call);
    if (csv) {
      const rows = developers.map((each) => CSV_COLUMNS.map((name) => each[name]));
      return printCsv(context, [...CSV_COLUMNS], rows);
    }
    const rows = developers.map((each) => [
      each.id,
      each.company_name,
      `${each.commission_rate}%`,
      each.status,
      each.total_redemptions,
      money(each.total_commission),
    ]);
    const head = ['ID', 'NAME', 'COMMISSION', 'STATUS', 'REDEMPTIONS', 'EARNED'];
    await context.print(developers, rows.length === 0 ? 'No developer partners found yet.\n' : table(head, rows));
  },
});
