import type { Analytics } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { csvTo, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag, number, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findProduct, findResellerId } from '#input/find-by-name.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { sparkline } from '#output/sparkline.ts';
import { type Cell, list, money, table } from '#output/table.ts';
import { accountZone, minute } from '#output/zone.ts';
import { reportOf } from './analytics-reports.ts';

const DAY_MS = 86_400_000;

const LAST: Record<string, number> = { '1w': 7, '2w': 14, '1m': 30 };

export const analyticsCommand = defineCommand({
  path: 'analytics',
  summary: 'Show revenue and redemptions for a period',
  operations: [
    'getAnalytics',
    'getAnalyticsGeo',
    'getStockReport',
    'getBatchReport',
    'getPluginKeyReport',
    'getVersionReport',
    'getShopReport',
    'getSparklines',
  ],
  options: {
    range: text('<range>', '1w, 2w or 1m, ending today', { values: ['1w', '2w', '1m'], fallback: '1m' }),
    from: text('<date>', 'first day, such as 2026-10-01; with --to'),
    to: text('<date>', 'last day, inclusive'),
    ...csvTo('CSV with one line per day, product and reseller'),
    countries: flag('redemptions by country, over all time or from --from to --to'),
    product: text('<product>', 'only this product, by id or name'),
    reseller: text('<reseller>', 'only what this reseller sold, by id, company or email; none: your own sales'),
    country: text('<code>', 'only what was redeemed in this country, such as DE; none: unknown'),
    report: text(
      '<report>',
      'instead: days of stock left, conversion by batch, sales by shop, calls by plugin key, or activations by version and system',
      {
        values: ['stock', 'batches', 'shops', 'keys', 'versions'],
      },
    ),
    days: number('<n>', 'with --report versions: seen in so many days, 1 to 365 (default: 30)'),
  },
  examples: [
    'tonerow analytics --range 1w',
    'tonerow analytics --product "Prism Delay" --country DE',
    'tonerow analytics --report stock --csv --out stock.csv',
    'tonerow analytics --report versions --product "Prism Delay" --days 90',
    'tonerow analytics --from 2026-10-01 --to 2026-10-31 --csv --out october.csv',
  ],
  async run({ context, options }) {
    const api = await context.api();
    if ((options.from === undefined) !== (options.to === undefined)) throw new UsageError('Give both --from and --to.');
    const custom = options.from ? { startDate: options.from, endDate: options.to } : undefined;
    const filter = await filterOf(api, options, context.io.signal);
    const days = async () => custom ?? (await lastDays(options.range, () => api.getAccountSettings({}, context.call)));
    const asCsv = wantsCsv(options);
    if (options.days !== undefined && options.report !== 'versions')
      throw new UsageError('--days goes with --report versions.');
    if (options.report) {
      const report = await reportOf(options.report, api, context, { filter, days, seen: options.days });
      if (!asCsv) return context.print(report.found, report.human);
      return receive(context, await report.csv(), outOf(context, options.out, 'public'), 'Receiving');
    }
    if (options.countries) {
      const found = await api.getAnalyticsGeo({ query: { ...custom, ...filter } }, context.call);
      return context.print(found, countries(found));
    }
    const query = { ...(await days()), ...filter };
    if (asCsv) {
      const response = await api.stream.getAnalytics({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out, 'public'), 'Receiving');
    }
    const found = await api.getAnalytics({ query }, context.call);
    await context.print(found, pageOf(found));
  },
});

interface Filter {
  product: string | undefined;
  reseller: string | undefined;
  country: string | undefined;
}

async function filterOf(api: OperationClient, { product, reseller, country }: Filter, signal: AbortSignal) {
  const [product_id, reseller_id] = await Promise.all([
    product === undefined ? undefined : findProduct(api, product, signal).then(({ id }) => id),
    reseller === undefined || reseller === 'none' ? reseller : findResellerId(api, reseller, signal),
  ]);
  return { product_id, reseller_id, country: country === 'none' ? country : country?.toUpperCase() };
}

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
    ...before(found),
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

/** The figures that the period is compared with. */
function before({ totals, previous }: Analytics): [string, Cell][] {
  if (!previous) return [['Before', 'no earlier data']];
  const until = previous.until ? `, up to ${minute(previous.until)} (${accountZone()})` : '';
  return [
    ['Before', `${previous.startDate} to ${previous.endDate}${until}`],
    ['Redemptions', `${previous.totals.redemptions} (${changeOf(totals.redemptions, previous.totals.redemptions)})`],
    ['Revenue', `${money(previous.totals.revenue)} (${changeOf(totals.revenue, previous.totals.revenue)})`],
  ];
}

function changeOf(now: number, then: number): string {
  if (now === then) return 'no change';
  if (then === 0) return 'from nothing';
  const share = Math.round(((now - then) / Math.abs(then)) * 100);
  return `${share > 0 ? '+' : ''}${share}% since`;
}

function countries(rows: Analytics['customerGeo']): string {
  if (rows.length === 0) return 'No redemptions yet.\n';
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const named = rows.map(({ country, count }) => [country ? (names.of(country) ?? country) : 'Unknown', count]);
  return table(['COUNTRY', 'REDEMPTIONS'], named);
}
