import type { PayoutSummary } from '@tonerow/sdk';
import { money } from '#output/table.ts';
import type { Context } from '#run/context.ts';

/** Prints what a statement has become. */
export async function settled(context: Context, payout: PayoutSummary): Promise<void> {
  const { number, label, status, paid, due, outstanding } = payout;
  await context.print(
    payout,
    `${number}: ${label} (${status}), ${money(paid)} of ${money(due)} paid, ${money(outstanding)} outstanding.\n`,
  );
}
