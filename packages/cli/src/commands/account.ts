import type { Command } from '../command.ts';
import { readDevice, readProfile, saveDevice, saveProfile } from '../config/store.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../exit.ts';
import { day, table } from '../output/table.ts';
import { ask } from '../prompt.ts';
import { findTokenId } from './resolve.ts';

/** Two passwords can come on standard input, one a line, or from a terminal. */
async function passwords(
  context: Context,
  options: { passwordStdin?: boolean },
  questions: string[],
): Promise<string[]> {
  if (options.passwordStdin) {
    const lines = (await context.secret({ stdin: true, what: 'the password', how: '--password-stdin' })).split(/\r?\n/);
    if (lines.length < questions.length) throw new UsageError(`Standard input needs ${questions.length} lines.`);
    return lines;
  }
  const answers: string[] = [];
  for (const text of questions) {
    answers.push(await ask(context.io, context.globals.input, { text, instead: '--password-stdin', hidden: true }));
  }
  return answers;
}

export const accountCommands: Command[] = [
  {
    path: 'account sessions',
    summary: 'Where am I signed in?',
    operations: ['listSessions'],
    examples: ['tonerow account sessions'],
    async run(context) {
      const sessions = await (await context.api()).listSessions({}, context.call);
      const rows = sessions.map((each) => [
        each.id,
        each.device,
        each.ip,
        each.last_seen_at,
        each.isCurrent ? 'this one' : '',
      ]);
      await context.print(sessions, table(['ID', 'DEVICE', 'IP', 'LAST SEEN', ''], rows));
    },
  },
  {
    path: 'account revoke-session',
    summary: 'End a session',
    operations: ['revokeSession'],
    args: [['<id>', 'from "tonerow account sessions"']],
    examples: ['tonerow account revoke-session 01900000-0000-7000-8000-000000000001'],
    async run(context, [id]) {
      await (await context.api()).revokeSession({ body: { id: id as string } }, context.call);
      context.note('The session is ended.');
    },
  },
  {
    path: 'account change-password',
    summary: 'Change the password; ends every other session and deletes every access token',
    operations: ['updatePassword'],
    options: [['--password-stdin', 'read the current and the new password from standard input, one a line']],
    examples: ['tonerow account change-password', 'tonerow account change-password --password-stdin < passwords.txt'],
    async run(context, _args, options) {
      const api = await context.api();
      const names = (await api.listAccessTokens({}, context.call)).map((token) => token.name);
      context.note(`This will end every other session${names.length > 0 ? ` and delete ${tokensOf(names)}` : ''}.`);
      const [oldPassword, newPassword] = (await passwords(context, options, [
        'Current password: ',
        'New password: ',
      ])) as [string, string];
      const { token, message } = await api.updatePassword({ body: { oldPassword, newPassword } }, context.call);
      const stored = await readProfile(context.io.env, context.profileName);
      if (stored && !context.io.env.TONEROW_TOKEN)
        await saveProfile(context.io.env, context.profileName, { ...stored, token });
      context.note(message);
    },
  },
  {
    path: 'account forgot-password',
    summary: 'Ask for a new password by email',
    operations: ['forgotPassword'],
    args: [['<email>', 'the account’s address']],
    examples: ['tonerow account forgot-password ada@example.com'],
    async run(context, [email]) {
      const { message } = await (await context.client()).forgotPassword(
        { body: { email: email as string } },
        context.call,
      );
      context.note(message);
    },
  },
  {
    path: 'account reset-password',
    summary: 'Choose a new password with the token from the email; ends every session and access token',
    operations: ['resetPassword'],
    options: [['--password-stdin', 'read the token and the new password from standard input, one a line']],
    examples: [
      'tonerow account reset-password',
      'tonerow account reset-password --password-stdin < token-and-password.txt',
    ],
    async run(context, _args, options) {
      context.note('This will end every session and delete every access token of the account.');
      const [token, password] = (await passwords(context, options, ['Token from the email: ', 'New password: '])) as [
        string,
        string,
      ];
      const { env } = context.io;
      const url = await context.url();
      const body = { token, password, ...(await readDevice(env, url)) };
      const { message, device_token } = await (await context.client()).resetPassword({ body }, context.call);
      await saveDevice(env, url, device_token);
      context.note(message);
    },
  },
  {
    path: 'account delete',
    summary: 'Delete the account for good',
    operations: ['deleteAccount'],
    options: [
      ['--confirm <email>', 'the account’s address, to show that you mean it'],
      ['--password-stdin', 'read the password from standard input'],
    ],
    examples: [
      'tonerow account delete',
      'tonerow account delete --confirm ada@example.com --password-stdin < password.txt',
    ],
    async run(context, _args, options) {
      const api = await context.api();
      const me = await api.getMe({}, context.call);
      if (!me.is_reseller) {
        context.note(
          'This will stop serials that nobody has redeemed. What your customers own goes on working, and we tell them by email.',
        );
      }
      const typed =
        options.confirm ??
        (await ask(context.io, context.globals.input, {
          text: `This action cannot be undone. Type ${me.email} to delete the account: `,
          instead: '--confirm EMAIL',
        }));
      if (typed.trim().toLowerCase() !== me.email.toLowerCase()) throw new UsageError(`--confirm must be ${me.email}.`);
      const [password] = (await passwords(context, options, ['Password: '])) as [string];
      const { message } = await api.deleteAccount({ body: { password } }, context.call);
      // another account's sign-in may be stored, when TONEROW_TOKEN is in use
      const stored = await readProfile(context.io.env, context.profileName);
      if (stored?.email?.toLowerCase() === me.email.toLowerCase())
        await saveProfile(context.io.env, context.profileName, null);
      context.note(message);
    },
  },
  {
    path: 'tokens list',
    summary: 'List access tokens',
    operations: ['listAccessTokens'],
    examples: ['tonerow tokens list'],
    async run(context) {
      const tokens = await (await context.api()).listAccessTokens({}, context.call);
      const rows = tokens.map((each) => [
        each.id,
        each.name,
        `…${each.hint}`,
        each.scopes.join(' '),
        day(each.expires_at),
        day(each.last_used_at),
      ]);
      const head = ['ID', 'NAME', 'TOKEN', 'SCOPES', 'EXPIRES', 'LAST USED'];
      const nothing = 'No access tokens yet. Make one: tonerow tokens create NAME --scope …\n';
      await context.print(tokens, tokens.length === 0 ? nothing : table(head, rows));
    },
  },
  {
    path: 'tokens create',
    summary: 'Create an access token for scripts; it is shown once',
    operations: ['createAccessToken'],
    once: true,
    args: [['<name>', 'what it is for']],
    repeatable: [['--scope <scope>', 'what it may do, such as serials:write']],
    options: [['--expires <date>', 'such as 2027-01-31']],
    examples: ['tonerow tokens create ci --scope products:read --scope serials:write'],
    async run(context, [name], options) {
      if (options.scope.length === 0) throw new UsageError('Give at least one --scope, such as --scope serials:write.');
      const expires_at = options.expires ? momentOf(options.expires) : undefined;
      const created = await (await context.api()).createAccessToken(
        { body: { name: name as string, scopes: options.scope, expires_at } },
        context.call,
      );
      context.note('This token is shown once. Keep it safe:');
      await context.print(created, `${created.token}\n`);
    },
  },
  {
    path: 'tokens delete',
    summary: 'Delete an access token',
    operations: ['deleteAccessToken', 'listAccessTokens'],
    args: [['<token>', 'name or id']],
    examples: ['tonerow tokens delete ci'],
    async run(context, [text]) {
      const api = await context.api();
      const id = await findTokenId(api, text as string, context.io.signal);
      await api.deleteAccessToken({ path: { id } }, context.call);
      context.note('The token is deleted.');
    },
  },
  {
    path: 'resellers list',
    summary: 'List the resellers you work with',
    operations: ['listResellers'],
    examples: ['tonerow resellers list'],
    async run(context) {
      const resellers = await (await context.api()).listResellers({}, context.call);
      const rows = resellers.map((each) => [each.id, each.company_name, `${each.commission_rate} %`, each.status]);
      await context.print(
        resellers,
        resellers.length === 0
          ? 'No reseller partners found yet.\n'
          : table(['ID', 'NAME', 'COMMISSION', 'STATUS'], rows),
      );
    },
  },
];

function tokensOf(names: string[]): string {
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `the access token${names.length === 1 ? '' : 's'} ${shown}${more}`;
}

function momentOf(text: string): string {
  const moment = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);
  if (Number.isNaN(moment)) throw new UsageError('--expires takes a date such as 2027-01-31.');
  return new Date(moment).toISOString();
}
