import { Link, type LinkProps, linkOptions } from '@tanstack/react-router';
import { Handshake } from 'lucide-react';
import { formatMoney, plural } from '#lib/format/format.ts';
import type { DealRequest } from '#lib/types.ts';
import { TimeAgo } from '../time-ago.tsx';

interface PendingDealsProps {
  requests: DealRequest[];
  reseller: boolean;
  onFollow: (() => void) | undefined;
}

const targets: Record<'reseller' | 'developer', LinkProps> = {
  reseller: linkOptions({ to: '/reseller/my-deals' }),
  developer: linkOptions({ to: '/dashboard/resellers' }),
};

/** A developer's requests to answer, or a reseller's answers to take note of. */
export function PendingDeals({ requests, reseller, onFollow }: PendingDealsProps) {
  if (requests.length === 0) return null;
  return (
    <>
      <h2 className="border-t border-line px-4 pt-3.5 pb-1 text-sm font-semibold">Deals</h2>
      <ul className="px-1.5 pb-1.5" aria-label="Deals">
        {requests.map((request) => (
          <li key={request.id} className="flex items-start gap-3 rounded-md px-2.5 py-2 hover:bg-hover">
            <Handshake className="mt-[3px] size-4 shrink-0 text-muted" aria-hidden />
            <div className="min-w-0 flex-1">
              <Link
                {...targets[reseller ? 'reseller' : 'developer']}
                onClick={onFollow}
                className="line-clamp-2 rounded-sm font-medium focus-visible:-outline-offset-2"
              >
                {reseller
                  ? `${request.developer_name} ${request.status} your deal for ${request.product_name}`
                  : `${request.reseller_name} requests a deal for ${request.product_name}`}
              </Link>
              <p className="figures flex justify-between gap-3 text-sm text-muted">
                <span className="truncate">
                  {request.answer ??
                    `${plural((request.accepted ?? request).quantity, 'serial')} at ${formatMoney((request.accepted ?? request).price)}`}
                </span>
                <TimeAgo iso={request.answered_at ?? request.created_at} className="shrink-0" />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
