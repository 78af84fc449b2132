import type { SalesSummary } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { PERIOD, periodOf } from '#input/period.ts';
import { counted, list, money } from '#output/table.ts';
import { accountZone, minute } from '#output/zone.ts';

export const salesSummary = defineCommand({
  path: 'sales summary',
  summary: 'Show a reseller’s commission and redemptions, and what sold best',
  operations: ['getSalesSummary'],
  options: PERIOD,
  examples: ['tonerow sales summary', 'tonerow sales summary --from 2026-10-01 --to 2026-10-31 --json'],
  async run({ context, options }) {
    const api = await context.api();
    const found = await api.getSalesSummary({ query: periodOf(options) }, context.call);
    const facts = list([
      ['Period', `${found.startDate} to ${found.endDate} (${found.time_zone})`],
      ['Redemptions', found.total_redemptions],
      ['Commission', money(found.total_commission)],
      ['Taken back by refunds', money(found.refunded_commission)],
      ...before(found),
      ['Top product', found.top_product && `${found.top_product} (${found.top_product_redemptions})`],
      ['Top developer', found.top_developer && `${found.top_developer} (${found.top_developer_redemptions})`],
    ]);
    await context.print(found, facts);
  },
});

/** The figures that the period is compared with. */
function before({ previous }: SalesSummary): [string, string | null][] {
  if (!previous) return [['Before', 'no earlier data']];
  const until = previous.until ? `, up to ${minute(previous.until)} (${accountZone()})` : '';
  const figures = `${counted(previous.total_redemptions, 'redemption')}, ${money(previous.total_commission)}`;
  return [['Before', `${figures} (${previous.startDate} to ${previous.endDate}${until})`]];
}
