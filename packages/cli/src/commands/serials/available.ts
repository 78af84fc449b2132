import { dates } from '#define/dates.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { table } from '#output/table.ts';

export const serialsAvailable = defineCommand({
  path: 'serials available',
  summary: 'How many serials are available, by product and promo',
  operations: ['listAvailableSerials'],
  options: {
    search: text('<text>', 'code, product or tag'),
    range: dates('all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { fallback: 'all' }),
  },
  examples: ['tonerow serials available --search "Black Friday"'],
  async run({ context, options }) {
    const api = await context.api();
    const found = await api.listAvailableSerials(
      { query: { search: options.search, dateRange: options.range } },
      context.call,
    );
    const rows = found.groups.map(({ name, kind, product_name, count }) => [name, kind, product_name, count]);
    await context.print(
      found,
      found.total === 0 ? 'No serials found\n' : table(['GROUP', 'KIND', 'PRODUCT', 'AVAILABLE'], rows),
    );
  },
});
