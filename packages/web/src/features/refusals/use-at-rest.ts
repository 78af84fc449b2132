import { type RefObject, useCallback, useEffect, useRef } from 'react';

const calm = 3000;
const nearTop = 40;

/** Whether rows may move: the page is scrolled to its top, and nobody points, types or selects text in this area. */
export function useAtRest(area: RefObject<HTMLElement | null>): () => boolean {
  const touched = useRef(0);
  useEffect(() => {
    const note = (event: Event) => {
      if (area.current?.contains(event.target as Node)) touched.current = Date.now();
    };
    const kinds = ['pointermove', 'pointerdown', 'keydown', 'wheel'];
    for (const kind of kinds) document.addEventListener(kind, note, { passive: true });
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, note);
    };
  }, [area]);
  return useCallback(() => {
    const marked = document.getSelection();
    const inside = (node: Node | null) => node !== null && area.current?.contains(node) === true;
    // a click leaves focus without a visible ring: the person has moved on
    const focused = document.activeElement?.matches(':focus-visible') ? document.activeElement : null;
    return (
      window.scrollY < nearTop &&
      Date.now() - touched.current > calm &&
      !inside(focused) &&
      !(marked && !marked.isCollapsed && inside(marked.anchorNode))
    );
  }, [area]);
}
