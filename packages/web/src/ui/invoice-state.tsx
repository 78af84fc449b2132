import type { InvoiceState } from '../lib/types.ts';
import { Badge, type BadgeTone } from './badge.tsx';

/** The states of an invoice in words. */
const states: Record<InvoiceState, { words: string; tone: BadgeTone; means: string }> = {
  rated: { words: 'To be charged', tone: 'plain', means: 'The month is over and added up. The card is charged next.' },
  invoiced: { words: 'Being charged', tone: 'plain', means: 'The card is being charged; the answer is not here yet.' },
  open: { words: 'Open', tone: 'warn', means: 'A charge failed. It is tried again.' },
  paid: { words: 'Paid', tone: 'good', means: 'The card was charged. Nothing is left to pay.' },
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
  means: 'The server knows this state, this page does not: reload it.',
} as const;

export const stateWords = (state: InvoiceState) => states[state].words;

/** A newer server may know a state that this page does not. */
export function InvoiceStateBadge({ state }: { state: InvoiceState }) {
  const { words, tone, means } = states[state] ?? unknown;
  return (
    <Badge tone={tone} means={means}>
      {words}
    </Badge>
  );
}

const owed: readonly InvoiceState[] = ['rated', 'invoiced', 'open', 'failed', 'uncollectible'];

/** Whether money is still expected, or at least owed. */
export const isOwed = (state: InvoiceState) => owed.includes(state);
