import { listViewsList } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { table } from '#output/table.ts';
import { day } from '#output/zone.ts';

export const LISTS = listViewsList;

export const viewsList = defineCommand({
  path: 'views list',
  summary: 'List your views of lists: filters, orders and columns under a name',
  operations: ['listViews'],
  options: {
    list: choice('<list>', 'redeemed, available, batches, customers, transactions or products', { values: LISTS }),
  },
  examples: ['tonerow views list', 'tonerow views list --list redeemed'],
  async run({ context, options }) {
    const query = options.list ? { list: options.list } : {};
    const { views } = await (await context.api()).listViews({ query }, context.call);
    const rows = views.map((view) => [
      view.list,
      view.name,
      Object.entries(view.filter)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
      view.hidden_columns.join(' '),
      day(view.created_at),
    ]);
    const none = 'No views yet. Save one: tonerow views save NAME --list redeemed --filter status=revoked\n';
    await context.print(
      views,
      rows.length > 0 ? table(['LIST', 'NAME', 'FILTER', 'HIDDEN COLUMNS', 'SAVED'], rows) : none,
    );
  },
});
