import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense, useId, useRef } from 'react';
import { countBadge, countLabel } from '#lib/notification-count.ts';
import { recentNoticesQuery } from '#lib/queries/notifications.ts';
import { cn } from '#ui/cn.ts';
import type { PendingOf } from '#ui/pending/pending.tsx';
import { Pending } from '#ui/pending/pending.tsx';

// below the fold of a closed panel: nobody waits for it
const Recent = lazy(() => import('./recent-notifications.tsx').then((module) => ({ default: module.Recent })));

const NOTHING = { pending: 0, unread: 0 };

/** A bell that opens pending and recent notifications. It uses the browser's own popover. */
export function Bell({ pending }: { pending: PendingOf }) {
  const { reseller } = pending;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const { data: count = NOTHING, refetch } = useQuery(recentNoticesQuery);
  const onFollow = () => panel.current?.hidePopover();
  const place = () => {
    const box = button.current?.getBoundingClientRect();
    if (!box || !panel.current) return;
    const width = document.documentElement.clientWidth;
    panel.current.style.top = `${box.bottom + 6}px`;
    panel.current.style.right = width < 480 ? '12px' : `${width - box.right}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        onClick={place}
        aria-label={countLabel(count)}
        title="Notifications"
        className="relative inline-grid size-8 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text"
      >
        <BellIcon className="size-4" aria-hidden />
        {count.pending + count.unread > 0 ? (
          <span
            className={cn(
              'figures absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full px-1 text-[10px] leading-none font-semibold',
              count.pending > 0 ? 'bg-bad-fill text-on-bad' : 'bg-accent text-on-accent',
            )}
          >
            {countBadge(count)}
          </span>
        ) : null}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={(event) => {
          if (event.newState === 'open') refetch();
        }}
        className="fixed inset-auto m-0 max-h-[24rem] w-[24rem] max-w-[calc(100vw-24px)] overflow-y-auto overscroll-contain rounded-lg border-0 bg-raised text-text shadow-overlay"
      >
        <Pending pending={pending} mentionNone onFollow={onFollow} />
        <Suspense fallback={null}>
          <Recent reseller={reseller} onFollow={onFollow} />
        </Suspense>
        <Link
          to={reseller ? '/reseller/notifications' : '/dashboard/notifications'}
          onClick={onFollow}
          className="block border-t border-line px-4 py-3 text-center text-sm font-medium text-accent-text focus-visible:-outline-offset-2 hover:underline"
        >
          See all
        </Link>
      </div>
    </>
  );
}
