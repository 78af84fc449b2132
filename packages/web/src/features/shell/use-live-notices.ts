import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { LiveEvent } from '@tonerow/sdk';
import { useEffect, useRef } from 'react';
import { useLive } from '../../lib/live.ts';
import { addNotice, claimNotices, type Notice, noticeOf } from './notices.ts';

const APART_MS = 2000;
/** An import's event and its answer arrive within this of each other, in either order. */
const ANSWER_MS = 1500;
const ownImport = /\/api\/(serials\/import-\w+|customers\/import)\/?(\?|$)/;
const touched: Partial<Record<LiveEvent['type'], string[][]>> = {
  redemption: [['serials'], ['customers'], ['analytics'], ['products'], ['me', 'usage']],
  import: [['serials'], ['customers'], ['analytics'], ['products'], ['me', 'usage']],
  low_serials: [['products']],
};

/** Keeps the screens up to date while others redeem and import, and tells what needs a person. */
export function useLiveNotices(userId: string | undefined, enabled: boolean) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const refresh = useThrottledRefresh(queryClient);
  const ownAnswer = useOwnImports();
  useEffect(() => {
    if (userId) claimNotices(userId);
  }, [userId]);

  useLive((event) => {
    if (event.type === 'resync') {
      queryClient.invalidateQueries();
      return;
    }
    const notice = noticeOf(event);
    if (!notice) return;
    refresh(touched[event.type] ?? []);
    addNotice(notice);
    if (notice.kind === 'redemption') return;
    const say = () => tell(notice, () => navigate(notice.link));
    if (notice.kind === 'low_serials') return say();
    const heard = Date.now();
    setTimeout(() => {
      if (ownAnswer.current < heard - ANSWER_MS) say();
    }, ANSWER_MS);
  }, enabled);
}

/** When this page last had the answer to an import of its own: whoever waited for it needs no toast as well. */
function useOwnImports() {
  const answered = useRef(0);
  useEffect(() => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => ownImport.test(name))) answered.current = Date.now();
    });
    observer.observe({ type: 'resource' });
    return () => observer.disconnect();
  }, []);
  return answered;
}

async function tell({ id, kind, title, detail }: Notice, open: () => void) {
  const { toast } = await import('sonner');
  const show = kind === 'low_serials' || title !== 'Import complete' ? toast.warning : toast.success;
  show(title, {
    id,
    description: detail,
    duration: 10_000,
    action: { label: kind === 'low_serials' ? 'Generate' : 'Show', onClick: open },
  });
}

/** The first change shows at once; while more arrive, the lists are read again at most every two seconds. */
function useThrottledRefresh(queryClient: QueryClient) {
  const waiting = useRef(new Map<string, string[]>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = () => {
    timer.current = undefined;
    if (waiting.current.size === 0) return;
    for (const queryKey of waiting.current.values()) queryClient.invalidateQueries({ queryKey });
    waiting.current.clear();
    timer.current = setTimeout(run, APART_MS);
  };
  return (keys: string[][]) => {
    for (const key of keys) waiting.current.set(key.join(), key);
    if (timer.current === undefined) run();
  };
}
