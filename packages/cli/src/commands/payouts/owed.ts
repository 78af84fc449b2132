import { defineCommand } from '#define/define-command.ts';
import { money, table } from '#output/table.ts';
import { day } from '#output/zone.ts';

export const payoutsOwed = defineCommand({
  path: 'payouts owed',
  summary: 'Show what each reseller owes you, and since when',
  operations: ['listBalances'],
  examples: ['tonerow payouts owed', 'tonerow payouts owed --jq .total_outstanding'],
  async run({ context }) {
    const api = await context.api();
    const balances = await api.listBalances({}, context.call);
    for (let cursor = balances.next_cursor; cursor !== null; ) {
      const page = await api.listBalances({ query: { cursor } }, context.call);
      balances.rows.push(...page.rows);
      cursor = balances.next_cursor = page.next_cursor;
    }
    const rows = balances.rows.map((each) => [
      each.reseller_name,
      money(each.outstanding),
      day(each.since),
      each.oldest_number,
      each.unpaid,
      money(each.credit),
      money(each.open_owed),
      `${each.effective_rate}%`,
      `${each.refund_rate}%`,
    ]);
    const head = ['RESELLER', 'OWES', 'SINCE', 'STATEMENT', 'UNPAID', 'CREDIT', 'THIS MONTH', 'COMMISSION', 'REFUNDED'];
    await context.print(balances, rows.length === 0 ? 'No reseller partners found yet.\n' : table(head, rows));
  },
});
