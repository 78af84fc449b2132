import type { AccountDeletion } from '@tonerow/sdk';
import { readProfile, saveProfile } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { money } from '#output/table.ts';
import { passwords } from './passwords.ts';

export const accountDelete = defineCommand({
  path: 'account delete',
  summary: 'Delete the account for good',
  operations: ['deleteAccount', 'getAccountDeletion'],
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
    for (const note of owedNotes(await api.getAccountDeletion({}, context.call))) context.note(note);
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

/** What the deletion bills and leaves unpaid. */
function owedNotes(deletion: AccountDeletion): string[] {
  const { months, open_invoices, open_total, total, charges_card, unpaid_statements, open_statements } = deletion;
  const notes = months.map((each) => `The month ${each.month} (UTC) is closed and billed: ${money(each.total)}.`);
  if (open_invoices > 0) notes.push(`Invoices that are not paid yet: ${open_invoices}, with ${money(open_total)}.`);
  if (total > 0) notes.push(charges_card ? `Your card is charged ${money(total)}.` : `You owe ${money(total)}.`);
  const unpaid = unpaid_statements + open_statements;
  if (unpaid > 0) notes.push(`Payout statements that are unpaid or still to come: ${unpaid}. --unpaid leaves them so.`);
  return notes;
}
