import {
  createShopDelivery,
  createShopKind,
  createShopMode,
  createShopOn_dispute,
  createShopOn_duplicate,
  createShopOn_refund,
} from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { isSigned, licenseAddressOf } from './card.ts';
import { secretFile, secretIfGiven } from './secrets.ts';

export const shopsConnect = defineCommand({
  path: 'shops connect',
  summary: 'Connect a shop; a secret that we make is shown once',
  operations: ['createShop'],
  once: true,
  args: [
    ['<kind>', 'shopify, woocommerce, fastspring, stripe, paddle, lemonsqueezy, gumroad or other'],
    ['<name>', 'what you call it'],
  ],
  options: {
    mode: choice('<mode>', 'test: its orders issue test codes', { values: createShopMode, fallback: 'live' }),
    secretFile: secretFile('the secret that the shop shows; without it we make one, where it takes ours'),
    delivery: choice('<who>', 'who gives the codes to the customer', { values: createShopDelivery, fallback: 'us' }),
    onRefund: choice('<answer>', 'redeemed serials of what is partly refunded', {
      values: createShopOn_refund,
      fallback: 'ask',
    }),
    onDispute: choice('<answer>', 'serials of a disputed payment', {
      values: createShopOn_dispute,
      fallback: 'suspend',
    }),
    onDuplicate: choice('<answer>', 'an order that another of your shops has brought already', {
      values: createShopOn_duplicate,
      fallback: 'warn',
    }),
  },
  examples: [
    'tonerow shops connect woocommerce "My shop"',
    'tonerow shops connect stripe Stripe --secret-file secret.txt',
  ],
  async run({ context, args: [kind, name], options }) {
    const body = {
      kind: kindOf(kind),
      name,
      mode: options.mode,
      secret: await secretIfGiven(context, options.secretFile),
      delivery: options.delivery,
      on_refund: options.onRefund,
      on_dispute: options.onDispute,
      on_duplicate: options.onDuplicate,
    };
    const made = await (await context.api()).createShop({ body }, context.call);
    await context.print(made, `${made.shop.address}\n${made.secret ? `${made.secret}\n` : ''}`);
    context.note(
      made.secret
        ? `Paste the address and the secret into the shop. The secret is never shown again. Its id is ${made.shop.id}.`
        : made.shop.has_secret || !isSigned(made.shop)
          ? `Paste the address into the shop. Its id is ${made.shop.id}.`
          : `Paste the address into the shop, then give its secret: tonerow shops update ${made.shop.id} --secret-file FILE`,
    );
    const license = licenseAddressOf(made.shop);
    if (license)
      context.note(
        `To have FastSpring show the codes itself, paste ${license} into each product: Fulfillments > Generate a License > Remote Server Request.`,
      );
  },
});

function kindOf(text: string): (typeof createShopKind)[number] {
  const kind = createShopKind.find((each) => each === text);
  if (!kind) throw new UsageError(`<kind> is one of ${createShopKind.join(', ')}.`);
  return kind;
}
