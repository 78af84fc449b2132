import { readProfile, saveProfile } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { passwords } from './passwords.ts';

export const accountChangePassword = defineCommand({
  path: 'account change-password',
  summary: 'Change the password; ends every other session and deletes every access token and trust',
  operations: ['updatePassword'],
  options: {
    passwordStdin: flag('read the current and the new password from standard input, one per line'),
  },
  examples: ['tonerow account change-password', 'tonerow account change-password --password-stdin < passwords.txt'],
  async run({ context, options }) {
    const api = await context.api();
    const tokens = (await api.listAccessTokens({}, context.call)).filter((token) => token.trust_id === null);
    const { role } = await api.getMe({}, context.call);
    const trusts = role === 'developer' ? await api.listTrusts({}, context.call) : [];
    const deleted = [...namesOf('access token', tokens), ...namesOf('trust', trusts)].join(' and ');
    context.note(`This will end every other session${deleted === '' ? '' : ` and delete ${deleted}`}.`);
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

function namesOf(what: string, things: readonly { name: string }[]): string[] {
  if (things.length === 0) return [];
  const shown = things.slice(0, 5).map(({ name }) => name);
  const more = things.length > 5 ? ` and ${things.length - 5} more` : '';
  return [`the ${what}${things.length === 1 ? '' : 's'} ${shown.join(', ')}${more}`];
}
