import type { Command } from '../command.ts';
import { readDevice, readProfile, saveDevice, saveProfile } from '../config/store.ts';
import type { Context } from '../context.ts';
import { Failure, UsageError } from '../exit.ts';
import { list } from '../output/table.ts';
import { ask } from '../prompt.ts';

const passwordOptions = [['--password-stdin', 'read the password from standard input']] as const;

async function passwordOf(
  context: Context,
  options: { passwordStdin?: boolean },
  text = 'Password: ',
): Promise<string> {
  if (options.passwordStdin) {
    return context.secret({ stdin: true, what: 'the password', how: '--password-stdin' });
  }
  return ask(context.io, context.globals.input, { text, instead: '--password-stdin', hidden: true });
}

async function keep(context: Context, token: string, email: string): Promise<void> {
  const file = await saveProfile(context.io.env, context.profileName, { url: await context.url(), token, email });
  context.note(`Signed in as ${email}. The credential is in ${file}, readable by you only.`);
  if (context.io.env.TONEROW_TOKEN) context.warn('TONEROW_TOKEN is set and wins over this sign-in.');
}

/** Signs in, and asks for the second factor when the account has one. */
async function signIn(context: Context, form: { email: string; password: string; code?: string | undefined }) {
  const api = await context.client();
  const url = await context.url();
  const body = { ...form, ...(await readDevice(context.io.env, url)) };
  const answer = await api.login({ body }, context.call).catch(async (error: { code?: string }) => {
    if (error.code !== 'two_factor_required') throw error;
    const question = { text: 'Code from your authenticator app: ', instead: '--code' };
    const code = await ask(context.io, context.globals.input, question);
    return api.login({ body: { ...body, code } }, context.call);
  });
  await saveDevice(context.io.env, url, answer.device_token);
  return answer;
}

const isAccessToken = (token: string) => token.trim().startsWith('tnr_pat_');

async function endSession(context: Context, token: string): Promise<void> {
  await (await context.client(token)).logout({}, context.call).catch((error: { status?: number }) => {
    // a session that has ended already
    if (error.status !== 401) throw error;
  });
}

/** TONEROW_TOKEN is the credential in use, so the stored sign-in is not touched. */
async function endGivenSession(context: Context, token: string): Promise<void> {
  const unset = 'Unset TONEROW_TOKEN to use or end the stored sign-in.';
  if (isAccessToken(token))
    throw new Failure(
      `TONEROW_TOKEN holds an access token, which has no session to end. "tonerow tokens delete" deletes it. ${unset}`,
    );
  await endSession(context, token);
  context.note(`The session of TONEROW_TOKEN is ended. ${unset}`);
}

export const sessionCommands: Command[] = [
  {
    path: 'register',
    summary: 'Make an account',
    operations: ['registerDeveloper', 'registerReseller'],
    args: [['<role>', 'developer or reseller']],
    options: [
      ['--email <address>', 'e-mail address'],
      ['--first-name <name>', 'first name'],
      ['--last-name <name>', 'last name'],
      ['--company <name>', 'company name'],
      ['--website <url>', 'website'],
      ['--support-email <address>', 'where your customers find help'],
      ...passwordOptions,
    ],
    examples: [
      'tonerow register developer --email ada@example.com --first-name Ada --last-name Row',
      'tonerow register developer --email ada@example.com --first-name Ada --last-name Row --password-stdin < password.txt',
    ],
    async run(context, [role], options) {
      if (role !== 'developer' && role !== 'reseller')
        throw new UsageError('Register as "developer" or as "reseller".');
      const field = async (name: string, text: string, flag: string) =>
        (options[name] as string | undefined) ??
        (await ask(context.io, context.globals.input, { text, instead: flag }));
      const email = await field('email', 'E-mail: ', '--email');
      const first_name = await field('firstName', 'First name: ', '--first-name');
      const last_name = await field('lastName', 'Last name: ', '--last-name');
      const company = role === 'reseller' ? await field('company', 'Company: ', '--company') : options.company;
      const password = await passwordOf(context, options, 'Password (10 characters or more): ');
      const form = {
        first_name,
        last_name,
        email,
        password,
        website_url: options.website,
        support_email: options.supportEmail,
      };
      const api = await context.client();
      const { message } =
        role === 'developer'
          ? await api.registerDeveloper({ body: { ...form, company_name: company } }, context.call)
          : await api.registerReseller({ body: { ...form, company_name: company as string } }, context.call);
      context.note(message);
      const { token, user } = await signIn(context, { email, password });
      await keep(context, token, user.email);
      if (!user.email_verified) context.note(`Open the link we emailed to ${user.email} to verify your address.`);
    },
  },
  {
    path: 'login',
    summary: 'Sign in, or keep an access token',
    operations: ['login'],
    options: [
      ['--email <address>', 'e-mail address'],
      ...passwordOptions,
      ['--code <code>', 'from your authenticator app, or a recovery code'],
      ['--with-token', 'read an access token from standard input'],
    ],
    examples: ['tonerow login', 'tonerow login --with-token < token.txt'],
    async run(context, _args, options) {
      if (options.withToken) {
        const token = await context.secret({ stdin: true, what: 'an access token', how: '--with-token' });
        const me = await (await context.client(token)).getMe({}, context.call);
        return keep(context, token, me.email);
      }
      const email =
        options.email ??
        (await ask(context.io, context.globals.input, { text: 'E-mail: ', instead: '--email, or --with-token' }));
      const password = await passwordOf(context, options);
      const { token, user } = await signIn(context, { email, password, code: options.code });
      await keep(context, token, user.email);
    },
  },
  {
    path: 'logout',
    summary: 'End the session and forget the credential',
    operations: ['logout'],
    examples: ['tonerow logout', 'tonerow logout --profile work'],
    async run(context) {
      const given = context.io.env.TONEROW_TOKEN;
      if (given) return endGivenSession(context, given);
      const stored = await readProfile(context.io.env, context.profileName);
      if (!stored) return context.note('You were not signed in.');
      // an access token belongs to no session: it is only forgotten here
      if (!isAccessToken(stored.token)) await endSession(context, stored.token);
      await saveProfile(context.io.env, context.profileName, null);
      context.note('Signed out.');
    },
  },
  {
    path: 'whoami',
    summary: 'Who am I, and by which credential?',
    operations: ['getMe'],
    fields: ['source', 'url'],
    examples: ['tonerow whoami', 'tonerow whoami --fields email,role'],
    async run(context) {
      const { token, source } = await context.credential();
      const me = await (await context.client(token)).getMe({}, context.call);
      await context.print(
        { ...me, source, url: await context.url() },
        list([
          ['Email', me.email_verified ? me.email : `${me.email} (not verified)`],
          ['Name', `${me.first_name} ${me.last_name}`],
          ['Role', me.is_admin ? `${me.role}, admin` : me.role],
          ['Developer id', me.role === 'developer' ? me.id : null],
          ['Server', await context.url()],
          ['Credential', `${me.credential.type === 'session' ? 'session' : 'access token'} from ${source}`],
          ['Scopes', me.credential.scopes?.join(' ') ?? 'everything'],
        ]),
      );
    },
  },
];
