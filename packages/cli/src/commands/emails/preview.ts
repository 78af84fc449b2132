import { defineCommand } from '../../define-command.ts';
import { choice, flag } from '../../option-types.ts';
import { LANGUAGES } from '../downloads/language.ts';

export const emailsPreview = defineCommand({
  path: 'emails preview',
  summary: 'Show the email that customers get after redeeming, in one of its languages',
  operations: ['previewCustomerEmail'],
  options: {
    language: choice('<language>', 'that of the redemption page', { values: LANGUAGES, fallback: 'en' }),
    html: flag('as HTML instead of text'),
  },
  examples: ['tonerow emails preview --language ja', 'tonerow emails preview --html > email.html'],
  async run({ context, options }) {
    const query = { language: options.language };
    const email = await (await context.api()).previewCustomerEmail({ query }, context.call);
    await context.print(email, options.html ? email.html : `${email.subject}\n\n${email.text}\n`);
  },
});
