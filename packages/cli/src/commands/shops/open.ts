import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { cardOf } from './card.ts';
import { WHICH } from './options.ts';
import { keyFile, keyIfGiven, licenseKeyFile, licenseKeyIfGiven, secretFile, secretIfGiven } from './secrets.ts';

export const shopsOpen = defineCommand({
  path: 'shops open',
  summary: 'Enter what opens a shop’s API; it is tried, sealed and never shown again',
  operations: ['openShop', 'closeShop'],
  args: [...WHICH],
  options: {
    address: text('<url>', 'the shop’s own address, for WooCommerce and Shopify'),
    keyFile: keyFile('the API key; of a pair its first part'),
    secretFile: secretFile('the second part of a pair, such as the consumer secret'),
    licenseKeyFile: licenseKeyFile('the private key of FastSpring’s license call'),
    forget: flag('forgets what opens it instead'),
    ...YES,
  },
  examples: [
    'tonerow shops open 01900000-0000-7000-8000-000000000001 --key-file key.txt',
    'tonerow shops open 01900000-0000-7000-8000-000000000001 --address https://shop.example.com --key-file key.txt --secret-file secret.txt',
  ],
  async run({ context, args: [id], options }) {
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
    if (forget) await context.confirm(options.yes, 'Forget what opens this shop’s API?');
    const api = await context.api();
    const shop = forget
      ? await api.closeShop({ path: { id } }, context.call)
      : await api.openShop({ path: { id }, body }, context.call);
    await context.print(shop, cardOf(shop));
  },
});
