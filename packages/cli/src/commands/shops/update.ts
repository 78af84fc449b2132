import {
  updateShopDelivery,
  updateShopMode,
  updateShopOn_dispute,
  updateShopOn_duplicate,
  updateShopOn_refund,
} from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { cardOf } from './card.ts';
import { shopOf, WHICH } from './options.ts';
import { secretFile, secretIfGiven } from './secrets.ts';

export const shopsUpdate = defineCommand({
  path: 'shops update',
  summary: 'Change a shop',
  operations: ['updateShop'],
  args: [...WHICH],
  options: {
    name: text('<text>', 'what you call it'),
    mode: choice('<mode>', 'test: its orders issue test codes', { values: updateShopMode }),
    secretFile: secretFile('the secret that the shop shows, at once and without an overlap'),
    delivery: choice('<who>', 'who gives the codes to the customer', { values: updateShopDelivery }),
    onRefund: choice('<answer>', 'redeemed serials of what is partly refunded', { values: updateShopOn_refund }),
    onDispute: choice('<answer>', 'serials of a disputed payment', { values: updateShopOn_dispute }),
    onDuplicate: choice('<answer>', 'an order that another of your shops has brought already', {
      values: updateShopOn_duplicate,
    }),
  },
  examples: ['tonerow shops update "My shop" --on-refund revoke'],
  async run({ context, args: [which], options }) {
    const { name, mode, delivery, onRefund, onDispute, onDuplicate } = options;
    const secret = await secretIfGiven(context, options.secretFile);
    const body = {
      name,
      mode,
      secret,
      delivery,
      on_refund: onRefund,
      on_dispute: onDispute,
      on_duplicate: onDuplicate,
    };
    if (Object.values(body).every((value) => value === undefined))
      throw new UsageError(
        'Give at least one of --name, --mode, --secret-file, --delivery, --on-refund, --on-dispute, --on-duplicate.',
      );
    const { api, id } = await shopOf(context, which);
    const shop = await api.updateShop({ path: { id }, body }, context.call);
    await context.print(shop, cardOf(shop));
  },
});
