import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { wholeNumber } from '#input/whole-number.ts';
import { printReseller } from './profile.ts';

export const resellersThreshold = defineCommand({
  path: 'resellers threshold',
  summary: 'Notify both sides when a reseller has fewer serials of a product left than this',
  operations: ['changeReseller', 'listResellers'],
  args: [
    ['<reseller>', 'name or id'],
    ['<count>', 'number of serials, or "none"'],
  ],
  examples: ['tonerow resellers threshold "Plugin Shop" 10', 'tonerow resellers threshold "Plugin Shop" none'],
  async run({ context, args: [reseller, count] }) {
    const low_stock_threshold = count === 'none' ? null : wholeNumber(count, 'The threshold');
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    const body = { low_stock_threshold };
    await printReseller(context, await api.changeReseller({ path: { id }, body }, context.call));
  },
});
