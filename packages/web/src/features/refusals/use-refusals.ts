import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { api } from '#lib/api.ts';
import { useLive } from '#lib/live.ts';
import { pages } from '#lib/queries/operation.ts';
import type { ListedStatus } from '#lib/refusal-statuses.ts';
import type { Refusal, RefusalPage } from '#lib/types.ts';
import { useAtRest } from './use-at-rest.ts';

export interface RefusalFilter {
  status: ListedStatus | undefined;
  /** The product's id; empty: all. */
  product: string;
}

const pageSize = 50;
/** Keeps a log that is open all day short: beyond this, a new row resets it to the newest page. */
const mostWatched = 200;
const quiet = 1500;
const markedFor = 6000;

const inputOf = ({ status, product }: RefusalFilter) => ({
  query: { limit: pageSize, ...(status ? { status } : {}), ...(product ? { product_id: product } : {}) },
});

const idsOf = (rows: Refusal[]) => new Set(rows.map(({ id }) => id));

/**
 * The log, newest first. New rows appear by themselves while the list is at its top; while somebody reads further
 * down or works in it, they wait for a click.
 */
export function useRefusals(filter: RefusalFilter, area: RefObject<HTMLElement | null>) {
  const queryClient = useQueryClient();
  const { status, product } = filter;
  const input = inputOf(filter);
  const query = pages('listLicenseRefusals', input);
  const { queryKey } = query;
  const list = useInfiniteQuery({
    ...query,
    placeholderData: keepPreviousData,
    // the newest rows are fetched separately, so that none moves under a reader
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  const [waiting, setWaiting] = useState<RefusalPage | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const atRest = useAtRest(area);

  const show = (page: RefusalPage) => {
    const before = queryClient.getQueryData(queryKey);
    const rows = before?.pages.flatMap((each) => each.rows) ?? [];
    const have = idsOf(rows);
    const added = page.rows.filter(({ id }) => !have.has(id));
    const [first, ...others] = before?.pages ?? [];
    // with more new rows than a page holds there would be a gap between these and the ones already shown
    const joins = first && (added.length < page.rows.length || page.next_cursor === null);
    const pages =
      joins && rows.length < mostWatched ? [{ ...first, rows: [...added, ...first.rows] }, ...others] : [page];
    const pageParams = pages.length > 1 ? (before?.pageParams ?? ['']) : [''];
    queryClient.setQueryData(queryKey, { pages, pageParams });
    setWaiting(null);
    // if every row is new, none is marked
    setMarked(idsOf(added.length < pageSize ? added : []));
  };
  const shownFilter = `${status ?? ''} ${product}`;
  const current = useRef(shownFilter);
  current.current = shownFilter;
  const look = async () => {
    if (queryClient.getQueryState(queryKey)?.status === 'pending') return 'too early';
    const page = await api.listLicenseRefusals(input).catch(() => null);
    const before = queryClient.getQueryData(queryKey);
    const newest = before?.pages[0]?.rows[0]?.id ?? '';
    if (!before || !page?.rows.some(({ id }) => id > newest) || current.current !== shownFilter) return;
    if (atRest()) show(page);
    else setWaiting(page);
  };
  useLook(look, shownFilter);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter has other rows
  useEffect(() => {
    setWaiting(null);
    setMarked(new Set());
  }, [shownFilter]);
  useEffect(() => {
    if (marked.size === 0) return;
    const timer = setTimeout(() => setMarked(new Set()), markedFor);
    return () => clearTimeout(timer);
  }, [marked]);
  useTick(30_000);

  const rows = list.data?.pages.flatMap((page) => page.rows);
  const newest = rows?.[0]?.id ?? '';
  const fresh = waiting?.rows.filter(({ id }) => id > newest).length ?? 0;
  return {
    list,
    rows,
    marked,
    /** How many new rows wait for a click, and whether there may be more. */
    fresh,
    freshAndMore: fresh === pageSize,
    showFresh: () => waiting && show(waiting),
  };
}

/** Checks for new refusals after live events, at intervals, and never while the page is hidden. */
function useLook(look: () => Promise<'too early' | undefined>, filter: string) {
  const latest = useRef(look);
  latest.current = look;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lookedAt = useRef(0);
  const missed = useRef(false);
  const unmounted = useRef(false);
  const ask = useCallback(() => {
    if (document.hidden) {
      missed.current = true;
      return;
    }
    missed.current = false;
    timer.current ??= setTimeout(
      async () => {
        timer.current = undefined;
        lookedAt.current = Date.now();
        // the fetch in flight may have started before the refusal was logged
        if ((await latest.current()) === 'too early' && !unmounted.current) ask();
      },
      Math.max(0, lookedAt.current + quiet - Date.now()),
    );
  }, []);
  useLive(({ type }) => {
    if (type === 'license_refused' || type === 'resync') ask();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was left may have grown since
  useEffect(ask, [filter]);
  useEffect(() => {
    unmounted.current = false;
    const back = () => {
      if (!document.hidden && missed.current) ask();
    };
    document.addEventListener('visibilitychange', back);
    return () => {
      unmounted.current = true;
      document.removeEventListener('visibilitychange', back);
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [ask]);
}

/** Re-renders, so that `2 minutes ago` stays current. */
function useTick(milliseconds: number) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
