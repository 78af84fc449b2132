import { csvTo, PAGE, wantsCsv } from '#define/common-options.ts';
import { dates } from '#define/dates.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { BY_PRODUCT, developerIds, soldProductIds } from '#input/filter-ids.ts';
import { given } from '#input/given-values.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { day } from '#output/zone.ts';
import type { Context } from '#run/context.ts';
import { VIEW, withView } from '../views/find.ts';

export const FILTER = {
  search: text('<text>', 'name, email, serial, product or developer'),
  range: dates('all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { fallback: 'all' }),
};

/** Filters of transactions, which combine. `-` before a value leaves it out. */
export const TRANSACTION_FILTER = {
  search: FILTER.search,
  range: dates('all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD'),
  ...BY_PRODUCT,
  developer: text('<developers>', 'ids or names of developers'),
  kind: text('<kinds>', 'redemption, refund, chargeback, reinstatement, correction'),
};

interface Options {
  search: string | undefined;
  range: string | undefined;
  product: string[];
  developer: string | undefined;
  kind: string | undefined;
}

/** As the server takes it. */
export async function transactionFilter(context: Context, { search, range, product, developer, kind }: Options) {
  return given({
    search,
    dateRange: range,
    product: await soldProductIds(context, product),
    developer: await developerIds(context, developer),
    kind,
  });
}

export const salesTransactions = defineCommand({
  path: 'sales transactions',
  summary: 'List a reseller’s redemptions and refunds, newest first',
  operations: ['listTransactions'],
  options: {
    ...TRANSACTION_FILTER,
    ...VIEW,
    ...csvTo('CSV of all that match the filter'),
    ...PAGE,
  },
  examples: [
    'tonerow sales transactions --range 1w --kind refund',
    'tonerow sales transactions --csv --out transactions.csv',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const query = await withView(context, 'transactions', options.view, await transactionFilter(context, options));
    if (wantsCsv(options)) {
      const response = await api.stream.listTransactions({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    await printRows(context, api.paginate.listTransactions({ query }, context.call), options, {
      head: ['DATE', 'KIND', 'EMAIL', 'SERIAL', 'PRODUCT', 'DEVELOPER', 'PRICE', 'COMMISSION', 'REASON'],
      cells: (row) => [
        day(row.at),
        row.kind,
        row.email ?? 'Erased',
        row.code,
        row.product_name,
        row.developer_name,
        money(row.final_price),
        money(row.commission_earned),
        row.reason,
      ],
      none: 'No transactions found.\n',
      more: '"tonerow sales transactions --csv"',
    });
  },
});
