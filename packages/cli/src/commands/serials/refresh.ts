import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findSerialId } from '#input/find-by-name.ts';
import { counted, money } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { each, isAboutOne } from './selection/each-serial.ts';

export const serialsRefresh = defineCommand({
  path: 'serials refresh',
  summary: 'Reset download counts to 0, at the plan’s price',
  operations: ['getSerial', 'refreshSerial'],
  args: [['<serial...>', 'codes or ids']],
  options: YES,
  examples: ['tonerow serials refresh ABCD-EFGH-2345-6789', 'tonerow serials refresh ABCD-EFGH-2345-6789 --yes'],
  async run({ context, args: serials, options }) {
    const price = options.yes ? 0 : await priceOf(context, serials);
    if (price > 0) {
      await context.confirm(false, `Reset the downloads of ${counted(serials.length, 'serial')} for ${money(price)}?`);
    }
    let cost = 0;
    await each(context, serials, 'Refreshed', async (api, id) => {
      const serial = await api.refreshSerial({ path: { id } }, context.call);
      cost += serial.refresh_cost;
      return serial;
    });
    if (cost > 0) context.note(`Charged: ${money(cost)}.`);
  },
});

/** Together, in dollars. One that can't be found is reported when its turn comes. */
async function priceOf(context: Context, serials: string[]): Promise<number> {
  const api = await context.api();
  let cents = 0;
  for (const text of serials) {
    try {
      const id = await findSerialId(api, text, context.io.signal);
      cents += Math.round((await api.getSerial({ path: { id } }, context.call)).refresh_cost * 100);
    } catch (error) {
      context.io.signal.throwIfAborted();
      if (!isAboutOne(error)) throw error;
    }
  }
  return cents / 100;
}
