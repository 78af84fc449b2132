import { readProfile, saveProfile } from '../../config/store.ts';
import { defineCommand } from '../../define-command.ts';
import { UsageError } from '../../exit.ts';
import { flag, text } from '../../option-types.ts';
import { passwords } from './passwords.ts';

export const accountDelete = defineCommand({
  path: 'account delete',
  summary: 'Delete the account for good',
  operations: ['deleteAccount'],
  options: {
    confirm: text('<email>', 'the account’s address, to confirm'),
    unpaid: flag('delete it although payout statements are unpaid'),
    passwordStdin: flag('read the password from standard input'),
  },
  examples: [
    'tonerow account delete',
    'tonerow account delete --confirm ada@example.com --password-stdin < password.txt',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const me = await api.getMe({}, context.call);
    if (me.is_reseller) context.note('This ends your partnerships. What you sold stays in the books of both sides.');
    else {
      context.note(
        'This will stop serials that nobody has redeemed. What your customers own keeps working, and we notify them by email.',
      );
    }
    const typed =
      options.confirm ??
      (await context.ask({
        text: `This action cannot be undone. Type ${me.email} to delete the account: `,
        instead: '--confirm EMAIL',
      }));
    if (typed.trim().toLowerCase() !== me.email.toLowerCase()) throw new UsageError(`--confirm must be ${me.email}.`);
    const [password] = (await passwords(context, options, ['Password: '])) as [string];
    const { message } = await api.deleteAccount({ body: { password, unpaid: options.unpaid } }, context.call);
    // with TONEROW_TOKEN, the stored sign-in may be another account's
    const stored = await readProfile(context.io.env, context.profileName);
    if (stored?.email?.toLowerCase() === me.email.toLowerCase())
      await saveProfile(context.io.env, context.profileName, null);
    context.note(message);
  },
});
