import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { cards } from './downloads/cards.ts';
import { LANGUAGE } from './downloads/language.ts';

export const redeemCommand = defineCommand({
  path: 'redeem',
  summary: 'Redeem a serial as a customer does',
  operations: ['initiateRedemption', 'completeRedemption'],
  args: [['<serial>', 'the code']],
  options: {
    email: text('<address>', 'the customer’s email address'),
    firstName: text('<name>', 'required for the first redemption'),
    lastName: text('<name>', 'required for the first redemption'),
    dev: text('<id>', 'id of the developer whose page it is'),
    ...LANGUAGE,
  },
  examples: [
    'tonerow redeem ABCD-EFGH-2345-6789 --email nina@example.com --first-name Nina --last-name Simone',
    'tonerow redeem ABCD-EFGH-2345-6789 --email nina@example.com --first-name Nina --last-name Simone --language fr',
  ],
  async run({ context, args: [serial], options }) {
    const email = options.email ?? (await context.ask({ text: 'Email: ', instead: '--email' }));
    const { language } = options;
    const api = await context.client();
    let result = await api.initiateRedemption({ body: { serial, email, dev: options.dev, language } }, context.call);
    if (result.require_name && result.temp_token) {
      const first_name = options.firstName ?? (await context.ask({ text: 'First name: ', instead: '--first-name' }));
      const last_name = options.lastName ?? (await context.ask({ text: 'Last name: ', instead: '--last-name' }));
      result = await api.completeRedemption(
        { body: { temp_token: result.temp_token, first_name, last_name, language } },
        context.call,
      );
    }
    await context.print(result, cards(result.products ?? []));
  },
});
