import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import type { DealRequest, Invite, SubscriptionStatus } from '../../lib/types.ts';
import { BillingAttention } from './billing-attention.tsx';
import { DealNotices } from './deal-notices.tsx';
import { type InviteAnswer, Invites } from './invites.tsx';
import { markNoticesSeen, useNotices } from './notices.ts';

// below the fold of a closed panel: nobody waits for it
const Recent = lazy(() => import('./recent-notices.tsx').then((module) => ({ default: module.Recent })));

interface BellProps {
  invites: { invites: Invite[]; total: number; onAnswer: (invite: Invite, answer: InviteAnswer) => Promise<void> };
  /** Requests to answer, or answers that were not seen yet. */
  deals: { deals: DealRequest[]; total: number };
  /** How a developer's payments stand, once that is known. */
  billing: SubscriptionStatus | undefined;
  reseller: boolean;
}

/** Pending invites and deals, and what happened of late, under a bell. The browser's own popover. */
export function Bell({ invites, deals, billing, reseller }: BellProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const { notices, unseen } = useNotices();
  const place = () => {
    const box = button.current?.getBoundingClientRect();
    if (!box || !panel.current) return;
    const width = document.documentElement.clientWidth;
    panel.current.style.top = `${box.bottom + 6}px`;
    panel.current.style.right = width < 480 ? '12px' : `${width - box.right}px`;
  };
  const pending = invites.total + deals.total + (billing?.attention ? 1 : 0);
  const label = ['Notifications', pending > 0 && `${pending} pending`, unseen > 0 && `${unseen} new`]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        onClick={place}
        aria-label={label}
        title="Notifications"
        className="relative inline-grid size-8 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text"
      >
        <BellIcon className="size-4" aria-hidden />
        {pending > 0 ? (
          <span className="figures absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-bad-fill px-1 text-[10px] leading-none font-semibold text-on-bad">
            {pending}
          </span>
        ) : unseen > 0 ? (
          <span className="absolute top-1.5 right-1.5 size-2 rounded-full bg-accent ring-2 ring-canvas" />
        ) : null}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') markNoticesSeen();
        }}
        className="fixed inset-auto m-0 max-h-[24rem] w-[24rem] max-w-[calc(100vw-24px)] overflow-y-auto overscroll-contain rounded-lg border-0 bg-raised text-text shadow-overlay"
      >
        <h2 className="px-4 pt-3.5 pb-1 text-sm font-semibold">Invites</h2>
        <Invites invites={invites.invites} onAnswer={invites.onAnswer} />
        <Older shown={invites.invites.length} total={invites.total} />
        {billing?.attention ? (
          <BillingAttention status={billing} onFollow={() => panel.current?.hidePopover()} />
        ) : null}
        <DealNotices requests={deals.deals} reseller={reseller} onFollow={() => panel.current?.hidePopover()} />
        <Older shown={deals.deals.length} total={deals.total} />
        <Suspense fallback={null}>
          <Recent notices={notices} open={open} reseller={reseller} onFollow={() => panel.current?.hidePopover()} />
        </Suspense>
        <Link
          to={reseller ? '/reseller/notifications' : '/dashboard/notifications'}
          onClick={() => panel.current?.hidePopover()}
          className="block border-t border-line px-4 py-3 text-center text-sm font-medium text-accent-text focus-visible:-outline-offset-2 hover:underline"
        >
          See all
        </Link>
      </div>
    </>
  );
}

/** The list holds the newest only; the older ones follow as they are answered. */
function Older({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null;
  return (
    <p className="px-4 pb-4 text-center text-sm text-muted">And {total - shown} older, shown once these are done.</p>
  );
}
