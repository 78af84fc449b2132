import { defineCommand } from '#define/define-command.ts';
import { ORDER } from './options.ts';

export const shopsReplay = defineCommand({
  path: 'shops replay',
  summary: 'Work on what a shop sent about an order again',
  operations: ['replayShopDelivery'],
  args: [...ORDER, ['<delivery>', 'its id, as "tonerow shops order" shows it under --json deliveries']],
  examples: ['tonerow shops replay 01900000-0000-7000-8000-000000000001 01900000-0000-7000-8000-000000000002'],
  async run({ context, args: [id, delivery_id] }) {
    const path = { id, delivery_id };
    const { order } = await (await context.api()).replayShopDelivery({ path }, context.call);
    await context.print(order, '');
    context.note('It is worked on now.');
  },
});
