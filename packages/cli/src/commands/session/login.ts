import { mustBeStorable } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { completeSignIn, signInByCode } from './device-sign-in.ts';
import { passwordOf, passwordOptions } from './password.ts';
import { keep, signIn } from './sign-in.ts';

export const login = defineCommand({
  path: 'login',
  summary: 'Sign in by a code in the browser or by password, or store an access token',
  operations: ['startDeviceSignIn', 'finishDeviceSignIn', 'login', 'getMe', 'logout'],
  shows: ['startDeviceSignIn'],
  fields: ['next_step'],
  options: {
    noBrowser: flag('print the address instead of opening it'),
    complete: flag('wait for the answer to the code that an earlier run printed'),
    email: text('<address>', 'sign in with the password of this address instead'),
    ...passwordOptions,
    code: text('<code>', 'from your authenticator app, or a recovery code; with --email'),
    withToken: flag('read an access token from standard input'),
  },
  examples: [
    'tonerow login',
    'tonerow login --no-browser',
    'tonerow login --with-token < token.txt',
    'tonerow login --email ada@example.com --password-stdin < password.txt',
  ],
  async run({ context, options }) {
    const { withToken, complete, passwordStdin, code } = options;
    const byPassword = options.email !== undefined || passwordStdin || code !== undefined;
    if ([withToken, complete, byPassword].filter(Boolean).length > 1)
      throw new UsageError('--with-token, --complete and --email exclude each other.');
    await mustBeStorable(context.io.env);
    if (withToken) {
      const token = await context.secret({ stdin: true, what: 'an access token', how: '--with-token' });
      const me = await (await context.client(token)).getMe({}, context.call);
      return keep(context, token, me.email);
    }
    if (complete) return completeSignIn(context);
    if (!byPassword) return signInByCode(context, { browser: !options.noBrowser });
    const email = options.email ?? (await context.ask({ text: 'Email: ', instead: '--email' }));
    const password = await passwordOf(context, options);
    const { token, user: account } = await signIn(context, { email, password, code });
    await keep(context, token, account.email);
  },
});
