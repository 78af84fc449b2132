import { readProfile, saveProfile } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { passwords } from './passwords.ts';

export const accountChangePassword = defineCommand({
  path: 'account change-password',
  summary: 'Change the password; ends every other session and deletes every access token',
  operations: ['updatePassword'],
  options: {
    passwordStdin: flag('read the current and the new password from standard input, one per line'),
  },
  examples: ['tonerow account change-password', 'tonerow account change-password --password-stdin < passwords.txt'],
  async run({ context, options }) {
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
});

function tokensOf(names: string[]): string {
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `the access token${names.length === 1 ? '' : 's'} ${shown}${more}`;
}
