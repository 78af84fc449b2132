import type { InvoiceSummary } from '@tonerow/sdk';
import { money } from '#output/table.ts';

const WAYS: Record<NonNullable<InvoiceSummary['paid_by']>, string> = {
  card: 'card',
  balance: 'balance: a credit covered it',
  next_invoice: 'added to the balance, collected with the next invoice',
  elsewhere: 'without a card, at Stripe',
};

/** Facts about how an invoice was settled, in dollars: the amount charged to the card, and the balance before. */
export function paidFacts({
  by,
  charged,
  before,
}: {
  by: InvoiceSummary['paid_by'];
  charged: number | null;
  before: number | null;
}): [string, string | null][] {
  if (by === null) return [];
  const paid: [string, string | null] = ['Paid by', WAYS[by] ?? by];
  if (by !== 'card' || !before || charged === null) return [paid];
  const balance: [string, string | null] =
    before > 0 ? ['Left by earlier months', money(before)] : ['Credit', money(-before)];
  return [paid, balance, ['Charged', money(charged)]];
}
