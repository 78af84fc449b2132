import { type LinkProps, linkOptions } from '@tanstack/react-router';
import type { LiveEvent } from '@tonerow/sdk';
import { useSyncExternalStore } from 'react';
import { formatCount, plural } from '../../lib/format.ts';

export interface Notice {
  id: string;
  kind: 'low_serials' | 'import' | 'redemption' | 'usage';
  title: string;
  detail: string;
  /** Where more of it is to be seen. */
  link: LinkProps;
  at: string;
}

const KEPT = 30;
const listeners = new Set<() => void>();
let kept: { notices: Notice[]; unseen: number } = { notices: [], unseen: 0 };

function change(next: typeof kept) {
  kept = next;
  for (const listener of listeners) listener();
}

/** Live notices of this visit, newest first. Nothing is stored: the lists hold what happened before. */
export function useNotices() {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => kept,
  );
}

export function addNotice(notice: Notice) {
  const others = kept.notices.filter(({ id }) => id !== notice.id);
  change({ notices: [notice, ...others].slice(0, KEPT), unseen: kept.unseen + 1 });
}

export function markNoticesSeen() {
  if (kept.unseen > 0) change({ ...kept, unseen: 0 });
}

let owner: string | undefined;

/** The next person at this browser must not see what happened on another account. */
export function claimNotices(userId: string) {
  if (owner === userId) return;
  owner = userId;
  change({ notices: [], unseen: 0 });
}

const redeemed: LinkProps = linkOptions({ to: '/dashboard/serials' });
const screens: Record<(LiveEvent & { type: 'import' })['data']['kind'], LinkProps> = {
  available: linkOptions({ to: '/dashboard/serials', search: { tab: 'available' } }),
  redeemed,
  customers: { to: '/dashboard/customers' },
};

/** The notice for an event, or null for events that need none. */
export function noticeOf({ type, data }: LiveEvent): Notice | null {
  const at = new Date().toISOString();
  if (type === 'low_serials') {
    const left = data.serials_available;
    return {
      id: `low ${data.product_id}`,
      kind: 'low_serials',
      title: `${data.product_name} is running low`,
      detail: left === 0 ? 'No serials left' : `${plural(left, 'serial')} left`,
      link: linkOptions({
        to: '/dashboard/serials',
        search: { tab: 'generator', product: data.product_id },
      }),
      at,
    };
  }
  if (type === 'usage' && data.kind !== 'plan_switched') {
    const used = `${formatCount(data.redemptions)} of ${plural(data.redemption_quota, 'redemption')} used this month`;
    return {
      id: `usage ${data.kind}`,
      kind: 'usage',
      title: data.kind === 'redemption_refused' ? 'A customer could not redeem a serial' : 'Your plan’s quota',
      detail: used,
      link: linkOptions({ to: '/dashboard/billing' }),
      at,
    };
  }
  if (type === 'redemption') {
    const name = [data.first_name, data.last_name].filter(Boolean).join(' ') || data.email;
    return {
      id: `redemption ${data.serial_id}`,
      kind: 'redemption',
      title: `${name} redeemed ${data.product_name}`,
      detail: data.serial,
      link: linkOptions({ to: '/dashboard/serials/$serialId', params: { serialId: data.serial_id } }),
      at,
    };
  }
  if (type === 'import' && !data.dry_run && data.state !== 'running') {
    const failed = data.state === 'failed';
    const rejected = data.rejected;
    const what = data.kind === 'customers' ? 'customer' : 'serial';
    return {
      id: `import ${data.id}`,
      kind: 'import',
      title: failed ? 'Import failed' : rejected > 0 ? 'Import completed with warnings' : 'Import complete',
      detail: failed
        ? data.error || 'Nothing was added.'
        : `${plural(data.count, what)} imported${rejected > 0 ? `, ${plural(rejected, 'line')} left out` : ''}`,
      link: screens[data.kind],
      at,
    };
  }
  return null;
}
