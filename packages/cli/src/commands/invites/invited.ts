import type { InvitesSent } from '@tonerow/sdk';
import { table } from '#output/table.ts';
import { day } from '#output/zone.ts';
import type { Context } from '#run/context.ts';

/** Prints who was invited, and who was not and why. */
export async function invited(context: Context, sent: InvitesSent): Promise<void> {
  const rows = sent.invites.map((each) => [each.id, each.email, `${each.commission_rate}%`, day(each.expires_at)]);
  await context.print(sent, table(['ID', 'EMAIL', 'COMMISSION', 'EXPIRES'], rows));
  for (const { email, message } of sent.skipped) context.note(`${email}: ${message}`);
  context.note(sent.message);
}
