import { Link } from '@tanstack/react-router';
import { Bell as BellIcon, CreditCard, Download, Gauge, PackageX, TicketCheck, Webhook } from 'lucide-react';
import { useId, useRef } from 'react';
import type { DealRequest, Invite, SubscriptionStatus } from '../../lib/types.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { BillingAttention } from './billing-attention.tsx';
import { DealNotices } from './deal-notices.tsx';
import { type InviteAnswer, Invites } from './invites.tsx';
import { markNoticesSeen, type Notice, useNotices } from './notices.ts';

interface BellProps {
  invites: { invites: Invite[]; total: number; onAnswer: (invite: Invite, answer: InviteAnswer) => Promise<void> };
  /** Requests to answer, or answers that were not seen yet. */
  deals: { deals: DealRequest[]; total: number };
  /** How a developer's payments stand, once that is known. */
  billing: SubscriptionStatus | undefined;
  /** Resellers have no notices of redemptions. */
  reseller: boolean;
}

/** Pending invites and deals, and what happened during this visit, under a bell. The browser's own popover. */
export function Bell({ invites, deals, billing, reseller }: BellProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
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
        {reseller ? null : <Recent notices={notices} onFollow={() => panel.current?.hidePopover()} />}
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

function Recent({ notices, onFollow }: { notices: Notice[]; onFollow: () => void }) {
  return (
    <>
      <h2 className="border-t border-line px-4 pt-3.5 pb-1 text-sm font-semibold">Recent</h2>
      {notices.length === 0 ? (
        <p className="px-4 pt-1 pb-5 text-sm text-muted">
          Redemptions, finished imports, payments and low stock show up here while you are signed in.
        </p>
      ) : (
        <ul className="px-1.5 pb-1.5" aria-label="Recent">
          {notices.map((notice) => (
            <li key={notice.id}>
              <NoticeLine notice={notice} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const icons = {
  low_serials: PackageX,
  import: Download,
  redemption: TicketCheck,
  usage: Gauge,
  billing: CreditCard,
  webhook: Webhook,
};

function NoticeLine({ notice, onFollow }: { notice: Notice; onFollow: () => void }) {
  const Icon = icons[notice.kind];
  return (
    <div className="flex items-start gap-3 rounded-md px-2.5 py-2 hover:bg-hover">
      <Icon className="mt-[3px] size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <Link
          {...notice.link}
          onClick={onFollow}
          className="line-clamp-2 rounded-sm font-medium focus-visible:-outline-offset-2"
        >
          {notice.title}
        </Link>
        <p className="flex justify-between gap-3 text-sm text-muted">
          <span className="truncate">{notice.detail}</span>
          <TimeAgo iso={notice.at} className="shrink-0" />
        </p>
      </div>
    </div>
  );
}
