import type { Shop } from '@tonerow/sdk';
import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { cardOf } from './card.ts';
import { shopOf, WHICH } from './options.ts';
import { keyFile, keyIfGiven, licenseKeyFile, licenseKeyIfGiven, secretFile, secretIfGiven } from './secrets.ts';

export const shopsOpen = defineCommand({
  path: 'shops open',
  summary: 'Enter what opens a shop’s API; it is tried, sealed and never shown again',
  operations: ['openShop', 'closeShop', 'getShop'],
  args: [...WHICH],
  options: {
    address: text('<url>', 'the shop’s own address, for WooCommerce and Shopify'),
    keyFile: keyFile('the API key; of a pair its first part'),
    secretFile: secretFile('the second part of a pair, such as the consumer secret'),
    licenseKeyFile: licenseKeyFile('the private key of FastSpring’s license call'),
    forget: flag('forgets what opens it instead'),
    ...SURE,
  },
  examples: [
    'tonerow shops open "My shop" --key-file key.txt',
    'tonerow shops open "My shop" --address https://shop.example.com --key-file key.txt --secret-file secret.txt',
  ],
  async run({ context, args: [which], options }) {
    const { address, forget } = options;
    const body = forget
      ? {}
      : {
          address,
          key: await keyIfGiven(context, options.keyFile),
          secret: await secretIfGiven(context, options.secretFile),
          license_key: await licenseKeyIfGiven(context, options.licenseKeyFile),
        };
    const isGiven = Object.values(body).some((value) => value !== undefined);
    if (isGiven === Boolean(forget)) throw new UsageError('Give --key-file and what else the shop needs, or --forget.');
    if (options.dryRun && !forget)
      throw new UsageError('--dry-run goes with --forget: a key is tried when it is entered.');
    const { api, id } = await shopOf(context, which);
    const print = (shop: Shop) => context.print(shop, cardOf(shop));
    if (!forget) return print(await api.openShop({ path: { id }, body }, context.call));
    const sure = await context.sure(options, {
      question: 'Forget what opens this shop’s API?',
      look: () => api.getShop({ path: { id } }, context.call),
      would: ({ name, has_credentials }) =>
        has_credentials ? `What opens the API of ${name} would be forgotten.` : `The API of ${name} is not open.`,
    });
    if (sure) await print(await api.closeShop({ path: { id } }, context.call));
  },
});
