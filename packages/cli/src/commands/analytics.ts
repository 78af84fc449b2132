import type { Analytics } from '@tonerow/sdk';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../exit.ts';
import { flag, text } from '../option-types.ts';
import { sparkline } from '../output/sparkline.ts';
import { outOf, receive } from '../output/stream.ts';
import { list, money, table } from '../output/table.ts';

const DAY_MS = 86_400_000;

const LAST: Record<string, number> = { '1w': 7, '2w': 14, '1m': 30 };

export const analyticsCommand = defineCommand({
  path: 'analytics',
  summary: 'Show revenue and redemptions for a period',
  operations: ['getAnalytics', 'getAnalyticsGeo'],
  options: {
    range: text('<range>', '1w, 2w or 1m, ending today', { values: ['1w', '2w', '1m'], fallback: '1m' }),
    from: text('<date>', 'first day, such as 2026-10-01; with --to'),
    to: text('<date>', 'last day, inclusive'),
    csv: flag('CSV with one line per day, product and reseller'),
    out: text('<file>', 'write the CSV to a file', { fallback: '-' }),
    countries: flag('redemptions by country, over all time or from --from to --to'),
  },
  examples: [
    'tonerow analytics --range 1w',
    'tonerow analytics --from 2026-10-01 --to 2026-10-31 --csv --out october.csv',
  ],
  async run({ context, options }) {
    const api = await context.api();
    if ((options.from === undefined) !== (options.to === undefined)) throw new UsageError('Give both --from and --to.');
    const custom = options.from ? { startDate: options.from, endDate: options.to } : undefined;
    if (options.countries) {
      const found = await api.getAnalyticsGeo({ query: custom ?? {} }, context.call);
      return context.print(found, countries(found));
    }
    const query = custom ?? (await lastDays(options.range, () => api.getAccountSettings({}, context.call)));
    if (options.csv || options.out !== '-') {
      const response = await api.stream.getAnalytics({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out, 'public'), 'Receiving');
    }
    const found = await api.getAnalytics({ query }, context.call);
    await context.print(found, pageOf(found));
  },
});

/** The last days up to today, in the account's time zone. */
async function lastDays(range: string, settings: () => Promise<{ time_zone: string }>) {
  const days = Object.hasOwn(LAST, range) ? LAST[range] : undefined;
  if (days === undefined) throw new UsageError('--range takes 1w, 2w or 1m.');
  const { time_zone: timeZone } = await settings();
  const endDate = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
  const startDate = new Date(Date.parse(`${endDate}T00:00:00Z`) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { startDate, endDate };
}

function pageOf(found: Analytics): string {
  const facts = list([
    ['Period', `${found.startDate} to ${found.endDate} (${found.time_zone})`],
    ['Redemptions', found.totals.redemptions],
    ['Revenue', money(found.totals.revenue)],
  ]);
  const charts = list([
    ['Redemptions', sparkline(Object.values(found.dailyRedemptions))],
    ['Revenue', sparkline(Object.values(found.dailyRevenue))],
  ]);
  const products = Object.entries(found.productStats).map(([name, n]) => [name, n, money(found.productRevenue[name])]);
  const resellers = Object.entries(found.resellerStats).map(([name, sum]) => [
    name,
    sum.redemptions,
    money(sum.revenue),
  ]);
  return [
    facts,
    charts,
    products.length > 0 ? table(['PRODUCT', 'REDEMPTIONS', 'REVENUE'], products) : 'No redemptions in this period.\n',
    resellers.length > 0 ? table(['RESELLER', 'REDEMPTIONS', 'REVENUE'], resellers) : '',
    found.customerGeo.length > 0 ? countries(found.customerGeo) : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function countries(rows: Analytics['customerGeo']): string {
  if (rows.length === 0) return 'No redemptions yet.\n';
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const named = rows.map(({ country, count }) => [country ? (names.of(country) ?? country) : 'Unknown', count]);
  return table(['COUNTRY', 'REDEMPTIONS'], named);
}
