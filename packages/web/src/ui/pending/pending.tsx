import type { DealRequest, Invite, SubscriptionStatus } from '#lib/types.ts';
import { PendingDeals } from './deals.tsx';
import { type InviteAnswer, PendingInvites } from './invites.tsx';
import { PendingPayment } from './payment.tsx';

export interface PendingOf {
  /** The newest, and how many there are. */
  invites: { invites: Invite[]; total: number; onAnswer: (invite: Invite, answer: InviteAnswer) => Promise<void> };
  deals: { deals: DealRequest[]; total: number };
  billing: SubscriptionStatus | undefined;
  reseller: boolean;
}

interface PendingProps {
  pending: PendingOf;
  /** Whether it is worth a line that there are no invites. */
  mentionNone?: boolean;
  onFollow?: () => void;
}

/** All that is pending, as the bell and the list of notifications show it. */
export function Pending({ pending: { invites, deals, billing, reseller }, mentionNone, onFollow }: PendingProps) {
  return (
    <div className="[&>:first-child]:border-t-0">
      {mentionNone || invites.total > 0 ? (
        <>
          <h2 className="border-t border-line px-4 pt-3.5 pb-1 text-sm font-semibold">Invites</h2>
          <PendingInvites invites={invites.invites} onAnswer={invites.onAnswer} />
          <Older shown={invites.invites.length} total={invites.total} />
        </>
      ) : null}
      {billing?.attention ? <PendingPayment status={billing} onFollow={onFollow} /> : null}
      <PendingDeals requests={deals.deals} reseller={reseller} onFollow={onFollow} />
      <Older shown={deals.deals.length} total={deals.total} />
    </div>
  );
}

/** The list holds the newest only; the older ones follow as they are answered. */
function Older({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null;
  return (
    <p className="px-4 pb-4 text-center text-sm text-muted">And {total - shown} older, shown once these are done.</p>
  );
}
