import { defineCommand } from '#define/define-command.ts';
import { list, money, table } from '#output/table.ts';

export const salesDashboard = defineCommand({
  path: 'sales dashboard',
  summary: 'Show a reseller’s totals and what they were given of each product',
  operations: ['getResellerDashboard'],
  options: {},
  examples: ['tonerow sales dashboard', 'tonerow sales dashboard --json'],
  async run({ context }) {
    const api = await context.api();
    const found = await api.getResellerDashboard({}, context.call);
    const facts = list([
      ['Total redemptions', found.stats.totalRedemptions],
      ['Commission earned', money(found.stats.totalCommission)],
      ['Connected products', found.stats.connectedProducts],
      ['Available serials', found.stats.availableSerials],
      ['Not for sale now', found.stats.notForSaleSerials],
      ['Sold, not redeemed', found.stats.handedOutSerials],
      ['In files', found.stats.serialsInFiles],
    ]);
    const groups = found.serialGroups.map((group) => [
      group.product_name,
      group.developer_name,
      `${group.commission_rate}%`,
      group.total,
      group.redeemed,
      group.handed_out,
      group.remaining,
      group.not_for_sale,
      group.in_files,
    ]);
    const head = [
      'PRODUCT',
      'DEVELOPER',
      'COMMISSION',
      'TOTAL',
      'REDEEMED',
      'HANDED OUT',
      'REMAINING',
      'NOT FOR SALE',
      'IN FILES',
    ];
    await context.print(found, groups.length > 0 ? `${facts}\n${table(head, groups)}` : facts);
  },
});
