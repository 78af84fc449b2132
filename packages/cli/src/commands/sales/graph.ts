import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { PERIOD, periodOf } from '#input/period.ts';
import { sparkline } from '#output/sparkline.ts';
import { list, money, table } from '#output/table.ts';

export const salesGraph = defineCommand({
  path: 'sales graph',
  summary: 'Show a reseller’s redemptions and commission by day, or by developer',
  operations: ['getSalesGraph', 'getSalesByDeveloper'],
  options: { ...PERIOD, byDeveloper: flag('by developer instead of by day') },
  examples: ['tonerow sales graph', 'tonerow sales graph --by-developer --from 2026-10-01 --to 2026-10-31'],
  async run({ context, options }) {
    const api = await context.api();
    const query = periodOf(options);
    if (options.byDeveloper) {
      const found = await api.getSalesByDeveloper({ query }, context.call);
      const rows = found.map((row) => [row.developer, row.redemptions, money(row.commission_earned)]);
      const head = ['DEVELOPER', 'REDEMPTIONS', 'COMMISSION'];
      return context.print(found, rows.length > 0 ? table(head, rows) : 'No redemptions in this period.\n');
    }
    const found = await api.getSalesGraph({ query }, context.call);
    const charts = list([
      ['Redemptions', sparkline(found.map((day) => day.redemptions))],
      ['Commission', sparkline(found.map((day) => Math.max(0, day.commission_earned)))],
    ]);
    const rows = found
      .filter((day) => day.redemptions !== 0 || day.commission_earned !== 0)
      .map((day) => [day.date, day.redemptions, money(day.commission_earned)]);
    await context.print(
      found,
      rows.length > 0 ? `${charts}\n${table(['DAY', 'REDEMPTIONS', 'COMMISSION'], rows)}` : charts,
    );
  },
});
