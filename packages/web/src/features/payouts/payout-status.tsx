import type { PayoutStatus } from '../../lib/types.ts';
import { Badge } from '../../ui/badge.tsx';

/** The finer words beside Complete and Pending. */
export const statusWords: Record<PayoutStatus, string> = {
  pending: 'Not confirmed yet',
  confirmed: 'Confirmed',
  disputed: 'Disputed',
  paid: 'Paid',
  settled: 'Brought forward',
};

export function PayoutStatusBadge({
  payout,
}: {
  payout: { status: PayoutStatus; label: 'Complete' | 'Pending'; difference: string | null };
}) {
  const { status, label } = payout;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={status === 'disputed' ? 'bad' : label === 'Complete' ? 'good' : 'warn'}>{label}</Badge>
      {payout.difference ? <Badge tone="bad">Differs from the ledger</Badge> : null}
      {status === 'paid' ? null : <span className="text-sm text-muted">{statusWords[status]}</span>}
    </span>
  );
}
