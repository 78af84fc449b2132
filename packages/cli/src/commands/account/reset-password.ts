import { readDevice, saveDevice } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { passwords } from './passwords.ts';

export const accountResetPassword = defineCommand({
  path: 'account reset-password',
  summary: 'Choose a new password with the token from the email; ends every session, access token and trust',
  operations: ['resetPassword'],
  options: {
    passwordStdin: flag('read the token and the new password from standard input, one per line'),
  },
  examples: [
    'tonerow account reset-password',
    'tonerow account reset-password --password-stdin < token-and-password.txt',
  ],
  async run({ context, options }) {
    context.note('This will end every session and delete every access token and trust of the account.');
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
});
