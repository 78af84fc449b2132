import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { importAvailableSerials, importCustomers, importRedeemedSerials } from '@tonerow/sdk/routes';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '#lib/live.ts';
import { LiveRefresh } from '#lib/queries/freshness/live-refresh.ts';
import { getAccount } from '#lib/session/session.ts';
import { notify } from '#ui/toast.ts';
import { notificationOf } from './event-notifications.ts';
import { addNotification, claimNotifications, type Notice } from './notifications.ts';

/** An import's event and its answer arrive within this of each other, in either order. */
const ANSWER_MS = 1500;
const imports = new Set<string>(
  [importAvailableSerials, importRedeemedSerials, importCustomers].map(({ path }) => path),
);

/** Shows nothing in its place: it is apart from the shell so that it loads after what is seen first. */
export function LiveNotifications({ accountId }: { accountId: string }) {
  useLiveNotifications(accountId);
  return null;
}

/** Keeps the screens up to date while others redeem and import, and shows what needs attention. */
function useLiveNotifications(accountId: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [refresh] = useState(() => new LiveRefresh(queryClient));
  const ownAnswer = useOwnImports();
  useEffect(() => {
    claimNotifications(accountId);
  }, [accountId]);

  useEffect(() => () => refresh.stop(), [refresh]);
  useLive(
    (event) => {
      refresh.after(event);
      const receivedAt = Date.now();
      const notice = notificationOf(event, getAccount()?.is_reseller);
      if (!notice) return;
      addNotification(notice);
      if (notice.kind === 'redemption') return;
      const show = () => showNotice(notice, () => navigate(notice.link));
      if (notice.kind !== 'import') return show();
      setTimeout(() => {
        if (ownAnswer.current < receivedAt - ANSWER_MS) show();
      }, ANSWER_MS);
    },
    { wantsAll: true },
  );
}

/** When an import started on this page last ended: it has shown its result, so it needs no toast. */
function useOwnImports() {
  const answered = useRef(0);
  useEffect(() => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => imports.has(new URL(name).pathname))) answered.current = Date.now();
    });
    observer.observe({ type: 'resource' });
    return () => observer.disconnect();
  }, []);
  return answered;
}

function showNotice({ id, kind, title, detail, good }: Notice, open: () => void) {
  notify.news({
    id,
    title,
    detail,
    good: good === true,
    action: { label: kind === 'low_serials' ? 'Generate' : 'Show', onClick: open },
  });
}
