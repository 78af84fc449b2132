import { formatMoney } from '#lib/format/format.ts';
import type { InvoiceState, PaidBy } from '#lib/types.ts';
import { Badge, type BadgeTone } from '../badge.tsx';

/** The states of an invoice in words. */
const states: Record<InvoiceState, { words: string; tone: BadgeTone; means: string }> = {
  rated: { words: 'To be charged', tone: 'plain', means: 'The month has closed. The card is charged next.' },
  invoiced: { words: 'Being charged', tone: 'plain', means: 'The card is being charged.' },
  open: { words: 'Open', tone: 'warn', means: 'A charge failed. It is tried again.' },
  paid: { words: 'Paid', tone: 'good', means: 'Nothing is left to pay.' },
  failed: { words: 'Failed', tone: 'bad', means: 'Every charge failed. Another card is charged at once.' },
  uncollectible: { words: 'Uncollectible', tone: 'bad', means: 'It is owed, but no longer tried.' },
  void: { words: 'Void', tone: 'plain', means: 'It was canceled. Nothing is owed for it.' },
  settled: { words: 'Nothing to pay', tone: 'plain', means: 'The month cost nothing.' },
  local: {
    words: 'Not collected by card',
    tone: 'plain',
    means: 'This server charges no cards, so nothing was taken.',
  },
};
const unknown = {
  words: 'Unknown',
  tone: 'plain',
  means: 'This page is out of date. Reload it to see the state.',
} as const;

/** A paid one, by what settled it. */
const ways: Record<PaidBy, { words: string; tone: BadgeTone; means: string }> = {
  card: { words: 'Paid', tone: 'good', means: 'The card was charged. Nothing is left to pay.' },
  balance: {
    words: 'Paid from balance',
    tone: 'good',
    means: 'A credit on the balance covered it. No card was charged.',
  },
  next_invoice: {
    words: 'Added to balance',
    tone: 'good',
    means: 'It is too small to charge by itself. It was added to the balance and is collected with the next invoice.',
  },
  elsewhere: { words: 'Paid', tone: 'good', means: 'It was settled without a card. Nothing is left to pay.' },
};

/** Facts about how a paid invoice was settled, for the account that may have paid it. Amounts are in dollars. */
export function paidFacts(
  by: PaidBy | null,
  charged: number | null,
  before: number | null,
): [label: string, value: string][] {
  if (by === 'balance') return [['Paid by', 'The credit on the balance']];
  if (by === 'next_invoice') return [['Paid by', 'Added to the balance, collected with the next invoice']];
  if (by === 'elsewhere') return [['Paid by', 'Settled without a card']];
  if (by !== 'card') return [];
  const card: [string, string] = ['Paid by', 'Card'];
  if (!before || charged === null) return [card];
  const left: [string, string] =
    before > 0
      ? ['Left on the balance by earlier months', formatMoney(before)]
      : ['Taken off by the credit on the balance', formatMoney(-before)];
  return [card, left, ['Charged to the card', formatMoney(charged)]];
}

export const stateWords = (state: InvoiceState) => states[state].words;

/** A newer server may know a state that this page does not. */
export function InvoiceStateBadge({ state, paidBy }: { state: InvoiceState; paidBy: PaidBy | null }) {
  const { words, tone, means } = (paidBy ? ways[paidBy] : states[state]) ?? states[state] ?? unknown;
  return (
    <Badge tone={tone} means={means}>
      {words}
    </Badge>
  );
}

const owed: readonly InvoiceState[] = ['rated', 'invoiced', 'open', 'failed', 'uncollectible'];

/** Whether money is still expected, or at least owed. */
export const isOwed = (state: InvoiceState) => owed.includes(state);
