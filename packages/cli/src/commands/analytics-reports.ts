import type { VersionReport } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { UsageError } from '#exit.ts';
import { sparkline } from '#output/sparkline.ts';
import { counted, list, table } from '#output/table.ts';
import type { Context } from '#run/context.ts';

interface Wanted {
  filter: { product_id: string | undefined; reseller_id: string | undefined; country: string | undefined };
  /** Activations seen in so many days. */
  seen: number | undefined;
  days: () => Promise<{ startDate: string | undefined; endDate: string | undefined }>;
}

/** A report of analytics, in each of its forms. */
interface Report {
  found: unknown;
  human: string;
  csv: () => Promise<Response>;
}

export async function reportOf(
  name: string,
  api: OperationClient,
  context: Context,
  { filter, days, seen }: Wanted,
): Promise<Report> {
  const asCsv = { ...context.call, accept: 'text/csv' } as const;
  const unused = (...names: (keyof Wanted['filter'])[]) => {
    if (names.some((each) => filter[each] !== undefined))
      throw new UsageError(`--report ${name} does not take this filter.`);
  };
  const { product_id, reseller_id } = filter;
  if (name === 'stock') {
    unused('reseller_id', 'country');
    const query = { product_id };
    const [found, recent] = await Promise.all([
      api.getStockReport({ query }, context.call),
      api.getSparklines({}, context.call),
    ]);
    const byProduct = new Map(recent.products.map((each) => [each.product_id, each.redemptions]));
    const rows = found.map((row) => [
      row.product,
      row.available,
      row.redeemed,
      sparkline(byProduct.get(row.product_id) ?? [], 30),
      row.days_left === null ? null : counted(row.days_left, 'day'),
    ]);
    const human =
      rows.length > 0
        ? table(['PRODUCT', 'AVAILABLE', 'REDEEMED (30 DAYS)', 'BY DAY', 'LEFT'], rows)
        : 'No products yet.\n';
    return { found, human, csv: () => api.stream.getStockReport({ query }, asCsv) };
  }
  if (name === 'batches') {
    unused('country');
    const query = { product_id, reseller_id };
    const found = await api.getBatchReport({ query: { ...query, limit: 50 } }, context.call);
    const rows = found.rows.map((row) => [
      row.batch_tag,
      row.product,
      row.reseller,
      row.generated,
      share(row.handed_out, row.handed_out_percent),
      share(row.redeemed, row.redeemed_percent),
      share(row.activated, row.activated_percent),
    ]);
    const head = ['BATCH', 'PRODUCT', 'RESELLER', 'GENERATED', 'HANDED OUT', 'REDEEMED', 'ACTIVATED'];
    const more = found.next_cursor ? 'The newest 50. --csv has the newest 200.\n' : '';
    const human = rows.length > 0 ? `${table(head, rows)}${more}` : 'No batches found.\n';
    return { found, human, csv: () => api.stream.getBatchReport({ query }, asCsv) };
  }
  if (name === 'versions') {
    unused('reseller_id', 'country');
    const query = { product_id, days: seen };
    const found = await api.getVersionReport({ query }, context.call);
    return { found, human: matrixOf(found), csv: () => api.stream.getVersionReport({ query }, asCsv) };
  }
  unused('product_id', 'reseller_id', 'country');
  const query = await days();
  if (name === 'shops') {
    const found = await api.getShopReport({ query }, context.call);
    const rows = found.shops.map((each) => [
      each.shop,
      each.orders,
      each.paid,
      each.redemptions,
      each.revenue,
      each.refunded,
      each.disputed,
    ]);
    const facts = list([['Period', `${found.startDate} to ${found.endDate} (${found.time_zone})`]]);
    const head = ['SHOP', 'ORDERS', 'PAID $', 'REDEEMED', 'REVENUE $', 'REFUNDED $', 'DISPUTED $'];
    const human = rows.length > 0 ? table(head, rows) : 'No shop sold anything in this period.\n';
    return { found, human: `${facts}\n${human}`, csv: () => api.stream.getShopReport({ query }, asCsv) };
  }
  const found = await api.getPluginKeyReport({ query }, context.call);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const rows = found.keys.map((key) => [key.label ?? 'Deleted key', key.is_test, sum(key.calls), sum(key.refused)]);
  const facts = list([['Period', `${found.startDate} to ${found.endDate} (${found.time_zone})`]]);
  const human =
    rows.length > 0 ? table(['PLUGIN KEY', 'TEST', 'CALLS', 'REFUSED'], rows) : 'No plugin called in this period.\n';
  return { found, human: `${facts}\n${human}`, csv: () => api.stream.getPluginKeyReport({ query }, asCsv) };
}

/** As many as fit beside each other. */
const SYSTEMS = 5;

/** Versions down, systems across. */
function matrixOf({ activations, days, since, versions, systems, pairs }: VersionReport): string {
  const facts = list([
    ['Activations', activations],
    ['Seen in', `${counted(days, 'day')}, since ${since} (UTC)`],
  ]);
  if (versions.length === 0) return `${facts}\nNo activation was seen in this time.\n`;
  const shown = systems.slice(0, SYSTEMS);
  const others = systems.length > SYSTEMS;
  const rows = versions.map(({ version, count }) => {
    const own = shown.map(({ os }) => pairs.find((pair) => pair.version === version && pair.os === os)?.count ?? 0);
    const rest = own.reduce((left, each) => left - each, count);
    return [version ?? 'unknown', count, ...own, ...(others ? [rest] : [])];
  });
  const names = shown.map(({ os }) => os ?? 'unknown');
  return `${facts}\n${table(['VERSION', 'ALL', ...names, ...(others ? ['others'] : [])], rows)}`;
}

const share = (count: number | null, percent: number | null) => (count === null ? null : `${count} (${percent}%)`);
