import { defineCommand } from '#define/define-command.ts';
import { findSerialId } from '#input/find-by-name.ts';
import { wholeNumber } from '#input/whole-number.ts';

export const serialsSeats = defineCommand({
  path: 'serials seats',
  summary: 'Set the number of seats of one serial, or use the product’s',
  operations: ['setSerialSeats'],
  args: [
    ['<serial>', 'code or id'],
    ['<seats>', 'a number, or "product"', ['product']],
  ],
  examples: ['tonerow serials seats ABCD-EFGH-2345-6789 5', 'tonerow serials seats ABCD-EFGH-2345-6789 product'],
  async run({ context, args: [text, seats] }) {
    const api = await context.api();
    const id = await findSerialId(api, text, context.io.signal);
    const max_activations = seats === 'product' ? null : wholeNumber(seats, 'SEATS');
    const done = await api.setSerialSeats({ path: { id }, body: { max_activations } }, context.call);
    await context.print(done, `${done.seats_used} of ${done.max_activations} seats are taken.\n`);
  },
});
