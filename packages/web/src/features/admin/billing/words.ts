import { plural } from '#lib/format/format.ts';
import type { BillingLogRow } from '#lib/types.ts';

export const actions: Record<BillingLogRow['action'], string> = {
  charge: 'Charge',
  balance: 'Settled without a charge',
  retry: 'Try again',
  uncollectible: 'Uncollectible',
  void: 'Void',
};

/** What was done, with the number of the charge. */
export const actionOf = ({ action, attempt }: BillingLogRow) =>
  action === 'charge' ? `Charge ${attempt}` : actions[action];

export const logEntries = (count: number) => plural(count, 'entry', 'entries');
