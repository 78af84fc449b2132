import { defineCommand } from '#define/define-command.ts';
import { choice, flag, text } from '#define/option-types.ts';
import { LANGUAGES } from '../downloads/language.ts';

const orNone = (value: string | undefined) => (value === '' ? 'none' : value);

export const emailsPreview = defineCommand({
  path: 'emails preview',
  summary: 'Show the email that customers get after redeeming, in one of its languages',
  operations: ['previewCustomerEmail'],
  options: {
    language: choice('<language>', 'that of the redemption page', { values: LANGUAGES, fallback: 'en' }),
    html: flag('as HTML instead of text'),
    brandColor: text('<hex>', 'in place of the saved one, such as #9a04bf; nothing is saved'),
    logo: text('<url>', 'in place of the saved one; "" for none'),
    supportEmail: text('<address>', 'in place of the saved one; "" for none'),
    supportUrl: text('<url>', 'in place of the saved one; "" for none'),
  },
  examples: [
    'tonerow emails preview --language ja',
    'tonerow emails preview --html --brand-color "#0f766e" > email.html',
  ],
  async run({ context, options }) {
    const query = {
      language: options.language,
      brand_color: options.brandColor,
      logo_url: orNone(options.logo),
      support_email: orNone(options.supportEmail),
      support_url: orNone(options.supportUrl),
    };
    const email = await (await context.api()).previewCustomerEmail({ query }, context.call);
    await context.print(email, options.html ? email.html : `${email.subject}\n\n${email.text}\n`);
  },
});
