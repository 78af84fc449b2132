import type { InvoiceState } from '../lib/types.ts';
import { Badge } from './badge.tsx';

type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** The states of an invoice in words. */
const states: Record<InvoiceState, { words: string; tone: Tone }> = {
  rated: { words: 'To be charged', tone: 'plain' },
  invoiced: { words: 'Being charged', tone: 'plain' },
  open: { words: 'Open', tone: 'warn' },
  paid: { words: 'Paid', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
  uncollectible: { words: 'Uncollectible', tone: 'bad' },
  void: { words: 'Void', tone: 'plain' },
  settled: { words: 'Nothing to pay', tone: 'plain' },
  local: { words: 'Not collected by card', tone: 'plain' },
};

export const stateWords = (state: InvoiceState) => states[state].words;

/** A newer server may know a state that this page does not. */
export function InvoiceStateBadge({ state }: { state: InvoiceState }) {
  const { words, tone } = states[state] ?? { words: 'Unknown', tone: 'plain' };
  return <Badge tone={tone}>{words}</Badge>;
}

const owed: readonly InvoiceState[] = ['rated', 'invoiced', 'open', 'failed', 'uncollectible'];

/** Whether money is still expected, or at least owed. */
export const isOwed = (state: InvoiceState) => owed.includes(state);
