import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { passwordOf, passwordOptions } from './password.ts';
import { keep, signIn } from './sign-in.ts';

export const login = defineCommand({
  path: 'login',
  summary: 'Sign in, or store an access token',
  operations: ['login'],
  options: {
    email: text('<address>', 'email address'),
    ...passwordOptions,
    code: text('<code>', 'from your authenticator app, or a recovery code'),
    withToken: flag('read an access token from standard input'),
  },
  examples: ['tonerow login', 'tonerow login --with-token < token.txt'],
  async run({ context, options }) {
    if (options.withToken) {
      const token = await context.secret({ stdin: true, what: 'an access token', how: '--with-token' });
      const me = await (await context.client(token)).getMe({}, context.call);
      return keep(context, token, me.email);
    }
    const email = options.email ?? (await context.ask({ text: 'Email: ', instead: '--email, or --with-token' }));
    const password = await passwordOf(context, options);
    const { token, user: account } = await signIn(context, { email, password, code: options.code });
    await keep(context, token, account.email);
  },
});
