import type { PayoutStatus } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';

/** The finer words beside Complete and Pending. */
export const statusWords: Record<PayoutStatus, string> = {
  pending: 'Not confirmed yet',
  confirmed: 'Confirmed',
  disputed: 'Disputed',
  paid: 'Paid',
  settled: 'Brought forward',
};

const means: Record<PayoutStatus, string> = {
  pending: 'The reseller confirms or disputes it. After 14 days it counts as confirmed.',
  confirmed: 'By the reseller, or because 14 days passed. It is complete once the payment is recorded.',
  disputed: 'The reseller disagrees. It stays open until the developer answers.',
  paid: 'The payment is recorded, or nothing was due. It never changes again; a refund is in a later statement.',
  settled: 'Nothing to pay: the developer owes, and the next statement brings it forward.',
};

export function PayoutStatusBadge({
  payout,
}: {
  payout: { status: PayoutStatus; label: 'Complete' | 'Pending'; difference: string | null };
}) {
  const { status, label } = payout;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={status === 'disputed' ? 'bad' : label === 'Complete' ? 'good' : 'warn'} means={means[status]}>
        {label}
      </Badge>
      {payout.difference ? (
        <Badge tone="bad" means={payout.difference}>
          Differs from the ledger
        </Badge>
      ) : null}
      {status === 'paid' ? null : <span className="text-sm text-muted">{statusWords[status]}</span>}
    </span>
  );
}
