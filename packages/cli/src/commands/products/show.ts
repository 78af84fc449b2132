import type { ProductOverview } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { findProduct } from '#input/find-by-name.ts';
import { counted, list, money } from '#output/table.ts';

export const productsShow = defineCommand({
  path: 'products show',
  summary: 'Show what a product sells, how long its stock lasts, its files, versions and refusals',
  operations: ['getProductOverview'],
  args: [['<product>', 'id or name']],
  examples: ['tonerow products show "Prism Delay"'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const { id } = await findProduct(api, text, context.io.signal);
    const overview = await api.getProductOverview({ path: { id } }, context.call);
    await context.print(overview, factsOf(overview));
  },
});

type Sales = ProductOverview['sales']['all'];
const sold = ({ redemptions, revenue }: Sales) => `${counted(redemptions, 'redemption')}, ${money(revenue)}`;

function factsOf({ sales, stock, machines, files, plugin_keys, refusals, ...product }: ProductOverview): string {
  const { today, last_30_days: month } = sales;
  const lasts = stock.days_left === null ? 'no sales in 30 days' : `${counted(stock.days_left, 'day')} left`;
  return list([
    ['Name', product.name],
    ['Id', product.id],
    ['State', product.is_draft ? 'draft' : 'submitted'],
    ['Today', `${sold(today)} (yesterday: ${sold(today.previous)})`],
    ['Last 30 days', `${sold(month)} (30 days before: ${sold(month.previous)})`],
    ['Ever', sold(sales.all)],
    ['Stock', `${counted(stock.available, 'serial')}, ${lasts} (${stock.per_day} redeemed a day)`],
    ['Machines', `${machines.active} active, ${machines.total} with a seat`],
    ['Versions', machines.versions.map(versionOf).join(', ')],
    ['Files', files.map(({ name, size }) => (size === null ? name : `${name} (${size} bytes)`)).join('; ')],
    ['Plugin keys', plugin_keys.map(({ label, is_test }) => (is_test ? `${label} (test)` : label)).join('; ')],
    ['Refused in 30 days', refusals.map(({ status, count }) => `${status}: ${count}`).join(', ') || 'nothing'],
  ]);
}

/** `1.2.0: 12 (8 on macOS, 4 on Windows)` */
function versionOf({ version, count, systems }: ProductOverview['machines']['versions'][number]): string {
  const by = systems.map(({ os, count }) => `${count} on ${os ?? 'unknown'}`).join(', ');
  return `${version ?? 'unknown'}: ${count} (${by})`;
}
