import { readFile } from 'node:fs/promises';
import type { Command, Options } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../exit.ts';
import { wholeNumber } from '../number.ts';
import { list, money, table } from '../output/table.ts';
import { ask } from '../prompt.ts';

const PASSWORD = ['--password-file <file>', 'read the password from a file'] as const;

async function passwordOf(context: Context, options: Options): Promise<string> {
  if (options.passwordFile) return (await readFile(options.passwordFile as string, 'utf8')).trim();
  return ask(context.io, context.globals.input, { text: 'Password: ', instead: '--password-file', hidden: true });
}

async function codeOf(context: Context, options: Options): Promise<string> {
  const text = 'Code from your authenticator app: ';
  return options.code ?? (await ask(context.io, context.globals.input, { text, instead: '--code' }));
}

const flags = {
  notifyRedemptions: 'notify_redemptions',
  notifyLowSerials: 'notify_low_serials',
  notifyWebhookFail: 'notify_webhook_fail',
  notifyAnnouncements: 'notify_announcements',
  notifyInquiries: 'notify_inquiries',
  notifyDeals: 'notify_deals',
} as const;
const texts = {
  timeZone: 'time_zone',
  firstName: 'first_name',
  lastName: 'last_name',
  company: 'company_name',
  website: 'website_url',
  supportEmail: 'support_email',
  supportUrl: 'support_url',
  logo: 'logo_url',
  redemptionMails: 'redemption_mails',
} as const;

/** What is kept about the account, and what guards it. */
export const securityCommands: Command[] = [
  {
    path: 'account settings',
    summary: 'Profile, time zone and notifications',
    operations: ['getAccountSettings'],
    examples: ['tonerow account settings'],
    async run(context) {
      const settings = await (await context.api()).getAccountSettings({}, context.call);
      await context.print(settings, list(Object.entries(settings)));
    },
  },
  {
    path: 'account set',
    summary: 'Change settings; what is left out stays',
    operations: ['updateAccountSettings'],
    options: [
      ['--time-zone <zone>', 'in which days begin and end, such as Europe/Berlin'],
      ['--first-name <name>', ''],
      ['--last-name <name>', ''],
      ['--company <name>', ''],
      ['--website <url>', '"" takes it away'],
      ['--support-email <address>', '"" takes it away'],
      ['--support-url <url>', '"" takes it away'],
      ['--logo <url>', 'from "tonerow files image --logo"'],
      ['--notify-redemptions <on|off>', 'mail about redemptions'],
      ['--notify-low-serials <on|off>', 'mail when a product runs low'],
      ['--notify-webhook-fail <on|off>', 'mail when a webhook fails'],
      ['--notify-announcements <on|off>', 'mail about news'],
      ['--notify-inquiries <on|off>', 'mail about developers’ inquiries'],
      ['--notify-deals <on|off>', 'mail about new deals'],
      ['--low-serials <n>', 'a product with fewer serials is low'],
      ['--redemption-mails <each|daily>', 'a letter for each redemption, or one a day'],
    ],
    examples: ['tonerow account set --time-zone Europe/Berlin --notify-redemptions off'],
    async run(context, _args, options) {
      const body: Record<string, unknown> = {};
      for (const [option, field] of Object.entries(texts))
        if (options[option] !== undefined) body[field] = options[option];
      for (const [option, field] of Object.entries(flags)) {
        if (options[option] === undefined) continue;
        if (options[option] !== 'on' && options[option] !== 'off')
          throw new UsageError(`--${kebab(option)} takes on or off.`);
        body[field] = options[option] === 'on';
      }
      if (options.lowSerials !== undefined)
        body.low_serials_threshold = wholeNumber(options.lowSerials, '--low-serials');
      if (Object.keys(body).length === 0)
        throw new UsageError('Say what to change, such as --time-zone Europe/Berlin.');
      const settings = await (await context.api()).updateAccountSettings({ body }, context.call);
      await context.print(settings, list(Object.entries(settings)));
      context.note('Settings saved!');
    },
  },
  {
    path: 'account two-factor',
    summary: 'Whether signing in needs a second factor',
    operations: ['getTwoFactor'],
    examples: ['tonerow account two-factor'],
    async run(context) {
      const state = await (await context.api()).getTwoFactor({}, context.call);
      await context.print(
        state,
        list([
          ['Two-factor', state.enabled ? 'on' : 'off'],
          ['Since', state.since],
          ['Recovery codes left', state.enabled ? state.recovery_codes_left : null],
        ]),
      );
    },
  },
  {
    path: 'account enable-two-factor',
    summary: 'Ask for a code from an authenticator app at every sign-in',
    operations: ['setUpTwoFactor', 'enableTwoFactor'],
    options: [PASSWORD],
    examples: ['tonerow account enable-two-factor', 'tonerow account enable-two-factor --password-file password.txt'],
    async run(context, _args, options) {
      const api = await context.api();
      const password = await passwordOf(context, options);
      const { secret, otpauth_url } = await api.setUpTwoFactor({ body: { password } }, context.call);
      context.warn(`Add this to your authenticator app:\n\n  ${secret}\n  ${otpauth_url}\n`);
      const code = await codeOf(context, options);
      const done = await api.enableTwoFactor({ body: { code } }, context.call);
      context.note('Two-factor is on. Each of these recovery codes opens the account once; they are not shown again:');
      await context.print(done, `${done.recovery_codes.join('\n')}\n`);
    },
  },
  {
    path: 'account disable-two-factor',
    summary: 'Ask for the password alone again',
    operations: ['disableTwoFactor'],
    options: [PASSWORD, ['--code <code>', 'from your authenticator app, or a recovery code']],
    examples: ['tonerow account disable-two-factor --password-file password.txt --code 123456'],
    async run(context, _args, options) {
      const password = await passwordOf(context, options);
      const code = await codeOf(context, options);
      await (await context.api()).disableTwoFactor({ body: { password, code } }, context.call);
      context.note('Two-factor is off.');
    },
  },
  {
    path: 'account recovery-codes',
    summary: 'Make ten new recovery codes; the old ones end',
    operations: ['renewRecoveryCodes'],
    options: [PASSWORD],
    examples: ['tonerow account recovery-codes --password-file password.txt'],
    async run(context, _args, options) {
      const password = await passwordOf(context, options);
      const done = await (await context.api()).renewRecoveryCodes({ body: { password } }, context.call);
      await context.print(done, `${done.recovery_codes.join('\n')}\n`);
    },
  },
  {
    path: 'account plan',
    summary: 'The plan, and how much of it this month has used',
    operations: ['getMyPlan', 'getMyUsage'],
    fields: ['plan', 'usage'],
    examples: ['tonerow account plan'],
    async run(context) {
      const api = await context.api();
      const [plan, usage] = await Promise.all([api.getMyPlan({}, context.call), api.getMyUsage({}, context.call)]);
      await context.print(
        { plan, usage },
        list([
          ['Plan', plan.name],
          ['Redemptions', `${usage.redemptions} of ${plan.redemption_quota} free in ${usage.month}`],
          ['Above that', plan.overage_cents === null ? 'they stop' : `${money(plan.overage_cents / 100)} each`],
        ]),
      );
    },
  },
  {
    path: 'plans',
    summary: 'The plans and their prices',
    operations: ['listPlans'],
    examples: ['tonerow plans'],
    async run(context) {
      const plans = await (await context.client()).listPlans({}, context.call);
      const rows = plans.map((plan) => [
        plan.name,
        `$${plan.price_cents / 100} a ${plan.interval}`,
        plan.redemption_quota,
        plan.overage_cents === null ? 'capped' : money(plan.overage_cents / 100),
      ]);
      await context.print(plans, table(['PLAN', 'PRICE', 'FREE REDEMPTIONS', 'EACH ABOVE'], rows));
    },
  },
];

function kebab(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
