import { defineCommand } from '../../define-command.ts';
import { money } from '../../output/table.ts';
import { each } from './each.ts';

export const serialsRefresh = defineCommand({
  path: 'serials refresh',
  summary: 'Reset download counts to 0, at the plan’s price',
  operations: ['refreshSerial'],
  args: [['<serial...>', 'codes or ids']],
  examples: ['tonerow serials refresh ABCD-EFGH-2345-6789'],
  async run({ context, args: serials }) {
    let cost = 0;
    await each(context, serials, 'Refreshed', async (api, id) => {
      const serial = await api.refreshSerial({ path: { id } }, context.call);
      cost += serial.refresh_cost;
      return serial;
    });
    if (cost > 0) context.note(`Charged: ${money(cost)}.`);
  },
});
