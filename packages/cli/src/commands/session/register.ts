import { mustBeStorable } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { machineZone } from '#output/zone.ts';
import { passwordOf, passwordOptions } from './password.ts';
import { keep, signIn } from './sign-in.ts';

export const register = defineCommand({
  path: 'register',
  summary: 'Create an account',
  operations: ['registerDeveloper', 'registerReseller', 'login', 'logout'],
  shows: ['registerDeveloper', 'registerReseller'],
  args: [['<role>', 'developer or reseller', ['developer', 'reseller']]],
  options: {
    email: text('<address>', 'email address'),
    firstName: text('<name>', 'first name'),
    lastName: text('<name>', 'last name'),
    company: text('<name>', 'company name'),
    website: text('<url>', 'website'),
    supportEmail: text('<address>', 'where customers can get help'),
    timeZone: text('<zone>', 'of the account’s dates, such as Europe/Berlin; default: that of this machine'),
    ...passwordOptions,
  },
  examples: [
    'tonerow register developer --email ada@example.com --first-name Ada --last-name Row',
    'tonerow register developer --email ada@example.com --first-name Ada --last-name Row --password-stdin < password.txt',
  ],
  async run({ context, args: [role], options }) {
    if (role !== 'developer' && role !== 'reseller') throw new UsageError('Register as "developer" or "reseller".');
    await mustBeStorable(context.io.env);
    const field = async (given: string | undefined, text: string, flag: string) =>
      given ?? (await context.ask({ text, instead: flag }));
    const email = await field(options.email, 'Email: ', '--email');
    const first_name = await field(options.firstName, 'First name: ', '--first-name');
    const last_name = await field(options.lastName, 'Last name: ', '--last-name');
    const company = role === 'reseller' ? await field(options.company, 'Company: ', '--company') : options.company;
    const password = await passwordOf(context, options, 'Password (10 characters or more): ');
    const time_zone = options.timeZone ?? machineZone();
    const form = {
      first_name,
      last_name,
      email,
      password,
      website_url: options.website,
      support_email: options.supportEmail,
      time_zone,
    };
    const api = await context.client();
    const { message } =
      role === 'developer'
        ? await api.registerDeveloper({ body: { ...form, company_name: company } }, context.call)
        : await api.registerReseller({ body: { ...form, company_name: company as string } }, context.call);
    context.note(message);
    context.note(`Dates are in ${time_zone}. "tonerow account set --time-zone" changes that.`);
    const { token, user: account } = await signIn(context, { email, password });
    await keep(context, token, account.email);
    if (!account.email_verified) context.note(`Open the link we emailed to ${account.email} to verify your address.`);
  },
});
