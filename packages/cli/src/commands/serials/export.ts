import { listRedeemedSerialsColumns } from '@tonerow/sdk/values';
import { dates } from '#define/dates.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printAllAsJson } from '#output/rows.ts';
import { groupOf, WHICH } from './selection/group-of.ts';

const OUT = {
  out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
};

export const serialsExport = defineCommand({
  path: 'serials export',
  summary: 'Export serials as CSV: redeemed, available, or one group',
  operations: ['listRedeemedSerials', 'listSerials', 'listSerialGroup'],
  args: [
    [
      '<what>',
      'redeemed, available, or the name of a group such as "Prism Delay · Black Friday"',
      ['redeemed', 'available'],
    ],
  ],
  options: {
    search: text('<text>', 'for redeemed: name, email, serial, product or day'),
    range: dates('for redeemed: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { fallback: 'all' }),
    columns: choice('<which>', 'for redeemed: those of the list, or those that import without loss', {
      values: listRedeemedSerialsColumns,
      fallback: 'list',
    }),
    ...WHICH,
    ...OUT,
  },
  examples: [
    'tonerow serials export redeemed --range 1m --out october.csv',
    'tonerow serials export redeemed --columns import --out sold.csv',
  ],
  async run({ context, args: [what], options }) {
    const api = await context.api();
    const redeemed = { query: { search: options.search, dateRange: options.range, columns: options.columns } };
    const available = { query: { state: 'available' } } as const;
    const group = what === 'redeemed' || what === 'available' ? undefined : await groupOf(context, what, options);
    if (context.globals.json && options.out === '-') {
      if (what === 'redeemed') return printAllAsJson(context, api.paginate.listRedeemedSerials(redeemed, context.call));
      if (group) return printAllAsJson(context, api.paginate.listSerialGroup(group, context.call));
      return printAllAsJson(context, api.paginate.listSerials(available, context.call));
    }
    const call = { ...context.call, accept: 'text/csv' };
    const response =
      what === 'redeemed'
        ? await api.stream.listRedeemedSerials(redeemed, call)
        : group
          ? await api.stream.listSerialGroup(group, call)
          : await api.stream.listSerials(available, call);
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
