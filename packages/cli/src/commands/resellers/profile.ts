import type { PartnershipHappening, ResellerProfile } from '@tonerow/sdk';
import { type Cell, cutNote, list, money, table } from '#output/table.ts';
import { day } from '#output/zone.ts';
import type { Context } from '#run/context.ts';

/** Prints a reseller as both `show` and every change do. */
export async function printReseller(context: Context, reseller: ResellerProfile): Promise<void> {
  const facts = list([
    ...company(reseller),
    ['Commission', `${reseller.commission_rate}%`],
    ['Status', reseller.status],
    ['Partnership since', day(reseller.since)],
    ['Ended', day(reseller.ended_at)],
    ['Merged into', reseller.merged_into],
    ['Low stock below', reseller.low_stock_threshold],
    ['Low products', reseller.low_stock_products],
    ...totals(reseller),
  ]);
  await context.print(reseller, `${facts}${historyOf(reseller)}`);
}

interface Company {
  id: string;
  company_name: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  website: string | null;
  business_address: string | null;
  tax_id: string | null;
}

export const company = (account: Company): [string, Cell][] => [
  ['Id', account.id],
  ['Company', account.company_name],
  ['Contact', [account.first_name, account.last_name].filter(Boolean).join(' ')],
  ['Email', account.email],
  ['Website', account.website],
  ['Business address', account.business_address],
  ['Tax id', account.tax_id],
];

interface Totals {
  total_redemptions: number;
  total_revenue: number;
  total_commission: number;
}

export const totals = (account: Totals): [string, Cell][] => [
  ['Redemptions', account.total_redemptions],
  ['Revenue', money(account.total_revenue)],
  ['Commission earned', money(account.total_commission)],
];

interface Past {
  history: PartnershipHappening[];
  history_total: number;
}

export function historyOf({ history, history_total }: Past): string {
  if (history.length === 0) return '';
  const rows = history.map((each) => [
    each.happened_at,
    `${each.kind.replace('_', ' ')}${each.reseller_name ? ` (${each.reseller_name})` : ''}`,
    each.by,
    each.commission_rate === null ? '' : `${each.commission_rate}%`,
  ]);
  return `\n${table(['WHEN', 'WHAT', 'BY', 'COMMISSION'], rows)}${cutNote('newest', history, history_total, 'entries')}`;
}
