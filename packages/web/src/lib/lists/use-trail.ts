import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { keepTrail, type TrailPlace, takeMarkedRecord } from './trail.ts';

/** Remembers what a list shows, and begins at the record that one comes back from. */
export function useTrail(
  list: RefObject<HTMLElement | null> | null,
  place: TrailPlace | undefined,
  ids: string[] | undefined,
) {
  const router = useRouter();
  const shown = place && ids ? JSON.stringify([place, ids]) : '';
  useEffect(() => {
    if (!shown) return;
    const [{ kind, page, ...trail }, rows] = JSON.parse(shown) as [TrailPlace, string[]];
    const { pathname: path, search } = router.state.location;
    keepTrail(kind, { ...trail, path, search }, { ...page, ids: rows });
    const last = takeMarkedRecord();
    if (!last || !rows.includes(last)) return;
    const links = list?.current?.querySelectorAll<HTMLElement>(`[data-row-link][href*="${CSS.escape(last)}"]`) ?? [];
    // a table and its cards are never both shown
    const row = [...links].find((link) => link.offsetParent !== null);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  }, [shown, router, list]);
}
