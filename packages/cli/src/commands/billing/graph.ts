import { csvTo, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { periodOf } from '#input/period.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { sparkline } from '#output/sparkline.ts';
import { list } from '#output/table.ts';
import { exact, PERIOD } from './figures.ts';

export const billingGraph = defineCommand({
  path: 'billing graph',
  summary: 'Show usage and its cost by day',
  operations: ['getBillingGraph'],
  options: {
    ...PERIOD,
    ...csvTo('CSV with one line per day'),
  },
  examples: [
    'tonerow billing graph',
    'tonerow billing graph --from 2026-10-01 --to 2026-10-31 --csv --out october.csv',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const query = periodOf(options);
    if (wantsCsv(options)) {
      const response = await api.stream.getBillingGraph({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out, 'public'), 'Receiving');
    }
    const days = await api.getBillingGraph({ query }, context.call);
    const sum = (value: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + value(day), 0);
    await context.print(
      days,
      list([
        ['Period (UTC)', `${days[0]?.date} to ${days.at(-1)?.date}`],
        ['Redemptions', `${sparkline(days.map((day) => day.redemptions))}  ${sum((day) => day.redemptions)}`],
        ['Overage', `${sparkline(days.map((day) => day.cost))}  ${exact(sum((day) => day.cost))}`],
        ['Refreshes', `${sum((day) => day.refresh_count)}, ${exact(sum((day) => day.refresh_cost))}`],
      ]),
    );
  },
});
