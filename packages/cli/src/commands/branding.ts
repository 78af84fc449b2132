import type { PrivateBranding } from '@tonerow/sdk';
import type { Command, Options } from '../command.ts';
import { YES } from '../command.ts';
import { UsageError } from '../exit.ts';
import { list } from '../output/table.ts';
import { confirm } from '../prompt.ts';

const page = (branding: PrivateBranding) =>
  list([
    ['Redemption page', branding.redeem_url],
    ['Custom domain', branding.custom_domain ? `${branding.custom_domain} (${branding.domain_status})` : null],
    ['Logo', branding.logo_url],
    ['Colour', branding.brand_color],
    ['Dark', branding.dark_mode],
    ['Support e-mail', branding.support_email],
    ['Support URL', branding.support_url],
    ['Letters to customers', branding.send_customer_emails],
  ]);

function onOff(options: Options, name: string, flag: string): boolean | undefined {
  const value = options[name] as string | undefined;
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw new UsageError(`${flag} takes on or off.`);
  return value === 'on';
}

/** A text, or null for "": taken away. */
const orNone = (value: string | undefined) => (value === '' ? null : value);

export const brandingCommands: Command[] = [
  {
    path: 'branding get',
    summary: 'How the redemption page looks',
    operations: ['getPrivateBranding'],
    examples: ['tonerow branding get'],
    async run(context) {
      const branding = await (await context.api()).getPrivateBranding({}, context.call);
      await context.print(branding, page(branding));
    },
  },
  {
    path: 'branding set',
    summary: 'Change how the redemption page looks; what is left out stays',
    operations: ['updateBranding', 'updateBrandingSettings'],
    options: [
      ['--color <hex>', 'such as #9a04bf'],
      ['--dark <on|off>', 'a dark page'],
      ['--logo <url>', 'from "tonerow files image --logo"; "" takes it away'],
      ['--support-email <address>', '"" takes it away'],
      ['--support-url <url>', '"" takes it away'],
      ['--customer-mails <on|off>', 'a letter to everybody who redeems'],
    ],
    examples: ['tonerow branding set --color "#0f766e" --dark on'],
    async run(context, _args, options) {
      const look = {
        brand_color: options.color as string | undefined,
        dark_mode: onOff(options, 'dark', '--dark'),
        logo_url: orNone(options.logo),
        support_email: orNone(options.supportEmail),
        support_url: orNone(options.supportUrl),
      };
      const letters = onOff(options, 'customerMails', '--customer-mails');
      if (Object.values({ ...look, letters }).every((value) => value === undefined))
        throw new UsageError('Say what to change, such as --color "#0f766e".');
      const api = await context.api();
      const { message, branding } =
        letters === undefined
          ? await api.updateBranding({ body: look }, context.call)
          : await api.updateBrandingSettings({ body: { ...look, send_customer_emails: letters } }, context.call);
      await context.print(branding, page(branding));
      context.note(message);
    },
  },
  {
    path: 'branding reset',
    summary: 'Back to the default look',
    operations: ['resetBranding'],
    options: [YES],
    examples: ['tonerow branding reset --yes'],
    async run(context, _args, options) {
      await confirm(context.io, { yes: options.yes, input: context.globals.input }, 'Reset the branding?');
      const { branding } = await (await context.api()).resetBranding({}, context.call);
      await context.print(branding, page(branding));
    },
  },
  {
    path: 'branding preview',
    summary: 'What a customer’s browser is told, by developer or by host',
    operations: ['getBranding', 'getBrandingByHost'],
    options: [
      ['--dev <id>', 'a developer; yourself when nothing is given'],
      ['--host <host>', 'a custom domain'],
    ],
    examples: ['tonerow branding preview', 'tonerow branding preview --host app.example.com'],
    async run(context, _args, options) {
      // without a developer it is one's own, so that needs a credential
      const api = options.host || options.dev ? await context.client() : await context.api();
      const found = options.host
        ? await api.getBrandingByHost({ query: { host: options.host } }, context.call)
        : await api.getBranding({ query: options.dev ? { dev: options.dev } : {} }, context.call);
      await context.print(found, list(Object.entries(found)));
    },
  },
  {
    path: 'domains add',
    summary: 'Serve the redemption page at a host of your own',
    operations: ['setCustomDomain'],
    args: [['<domain>', 'such as app.example.com']],
    examples: ['tonerow domains add app.example.com'],
    async run(context, [domain]) {
      const api = await context.api();
      const done = await api.setCustomDomain({ body: { domain: domain as string } }, context.call);
      await context.print(done, `${done.message}\n`);
      if (done.verified) return;
      const { dns_target } = await api.getPrivateBranding({}, context.call);
      context.note(`Make a CNAME record: ${done.domain} → ${dns_target}. It is looked at again every few minutes.`);
    },
  },
  {
    path: 'domains status',
    summary: 'Whether the host points here',
    operations: ['getDomainStatus'],
    args: [['[domain]', 'your own when nothing is given']],
    examples: ['tonerow domains status app.example.com'],
    async run(context, [given]) {
      const api = await context.api();
      const domain = given ?? (await api.getPrivateBranding({}, context.call)).custom_domain;
      if (!domain) throw new UsageError('You have no custom domain. "tonerow domains add" makes one.');
      const status = await api.getDomainStatus({ query: { domain } }, context.call);
      const words = status.verified
        ? 'verified'
        : status.registered
          ? 'registered, awaiting verification'
          : 'not registered';
      await context.print(status, `${domain}: ${words}\n`);
    },
  },
  {
    path: 'domains remove',
    summary: 'Stop serving at the custom domain',
    operations: ['removeCustomDomain'],
    options: [YES],
    examples: ['tonerow domains remove --yes'],
    async run(context, _args, options) {
      await confirm(context.io, { yes: options.yes, input: context.globals.input }, 'Remove the custom domain?');
      await (await context.api()).removeCustomDomain({}, context.call);
      context.note('The custom domain is removed.');
    },
  },
];
