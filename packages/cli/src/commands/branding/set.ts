import { defineCommand } from '#define/define-command.ts';
import { onOff, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { page } from './page.ts';

/** Null for "", which removes the value. */
const orNone = (value: string | undefined) => (value === '' ? null : value);

export const brandingSet = defineCommand({
  path: 'branding set',
  summary: 'Update the branding; omitted options stay unchanged',
  operations: ['updateBranding', 'updateBrandingSettings'],
  options: {
    color: text('<hex>', 'such as #9a04bf'),
    dark: onOff('a dark page'),
    logo: text('<url>', 'from "tonerow files image --logo"; "" removes it'),
    supportEmail: text('<address>', '"" removes it'),
    supportUrl: text('<url>', '"" removes it'),
    customerEmails: onOff('an email to everyone who redeems a serial'),
  },
  examples: ['tonerow branding set --color "#0f766e" --dark on'],
  async run({ context, options }) {
    const look = {
      brand_color: options.color,
      dark_mode: options.dark,
      logo_url: orNone(options.logo),
      support_email: orNone(options.supportEmail),
      support_url: orNone(options.supportUrl),
    };
    const letters = options.customerEmails;
    if (Object.values({ ...look, letters }).every((value) => value === undefined))
      throw new UsageError('Specify what to change, such as --color "#0f766e".');
    const api = await context.api();
    const { message, branding } =
      letters === undefined
        ? await api.updateBranding({ body: look }, context.call)
        : await api.updateBrandingSettings({ body: { ...look, send_customer_emails: letters } }, context.call);
    await context.print(branding, page(branding));
    context.note(message);
  },
});
