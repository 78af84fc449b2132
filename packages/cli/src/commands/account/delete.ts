import type { AccountDeletion } from '@tonerow/sdk';
import { deleteAccountUnlock as unlocks } from '@tonerow/sdk/values';
import { readProfile, saveProfile } from '#config/store.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, flag, text } from '#define/option-types.ts';
import { OpenQuestions, UsageError } from '#exit.ts';
import { canAsk } from '#input/prompt.ts';
import { counted, money } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { passwords } from './passwords.ts';

type Unlock = (typeof unlocks)[number];

export const accountDelete = defineCommand({
  path: 'account delete',
  summary: 'Delete the account for good',
  operations: ['deleteAccount', 'getAccountDeletion'],
  options: {
    confirm: text('<email>', 'the account’s address, to confirm'),
    unpaid: flag('delete it although payout statements are unpaid'),
    unlock: choice('<audience>', 'publish an unlock for good of every product, so that plugins go on without you', {
      values: unlocks,
    }),
    passwordStdin: flag('read the password from standard input'),
  },
  examples: [
    'tonerow account delete',
    'tonerow account delete --confirm ada@example.com --unlock owners --password-stdin < password.txt',
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
    const deletion = await api.getAccountDeletion({}, context.call);
    for (const note of owedNotes(deletion)) context.note(note);
    const typed =
      options.confirm ??
      (await context.ask({
        text: `This action cannot be undone. Type ${me.email} to delete the account: `,
        instead: '--confirm EMAIL',
      }));
    if (typed.trim().toLowerCase() !== me.email.toLowerCase()) throw new UsageError(`--confirm must be ${me.email}.`);
    const unlock = options.unlock ?? (await askForUnlocks(context, deletion));
    const [password] = (await passwords(context, options, ['Password: '])) as [string];
    const { message } = await api.deleteAccount({ body: { password, unpaid: options.unpaid, unlock } }, context.call);
    // with TONEROW_TOKEN, the stored sign-in may be another account's
    const stored = await readProfile(context.io.env, context.profileName);
    if (stored?.email?.toLowerCase() === me.email.toLowerCase())
      await saveProfile(context.io.env, context.profileName, null);
    context.note(message);
  },
});

/**
 * Asks about products whose unlock for good is not published: nobody can make up for it afterwards.
 * @throws {OpenQuestions} where nobody can be asked.
 */
async function askForUnlocks(context: Context, { products, unlocked_products }: AccountDeletion): Promise<Unlock> {
  const unpublished = products - unlocked_products;
  if (unpublished <= 0) return 'none';
  const words = `${counted(unpublished, 'product')} without a published unlock for good can only run while a server answers. Unlocks can be published for owners or for everyone, which cannot be called back, or for none`;
  if (!canAsk(context.io, context.globals.input)) throw new OpenQuestions(`${words}: pass --unlock AUDIENCE.`);
  context.note(`${words}.`);
  const typed = await context.ask({ text: `Publish unlocks for (${unlocks.join(', ')}): `, instead: '--unlock' });
  const found = unlocks.find((each) => each === typed.trim().toLowerCase());
  if (!found) throw new UsageError(`Answer ${unlocks.slice(0, -1).join(', ')} or ${unlocks.at(-1)}.`);
  return found;
}

/** Describes what the deletion bills and leaves unpaid. */
function owedNotes(deletion: AccountDeletion): string[] {
  const { months, open_invoices, open_total, total, charges_card, unpaid_statements, open_statements } = deletion;
  const notes = months.map((each) => `The month ${each.month} (UTC) is closed and billed: ${money(each.total)}.`);
  if (open_invoices > 0) notes.push(`Invoices that are not paid yet: ${open_invoices}, with ${money(open_total)}.`);
  if (total > 0) notes.push(charges_card ? `Your card is charged ${money(total)}.` : `You owe ${money(total)}.`);
  const unpaid = unpaid_statements + open_statements;
  if (unpaid > 0) notes.push(`Payout statements that are unpaid or still to come: ${unpaid}. --unpaid leaves them so.`);
  return notes;
}
