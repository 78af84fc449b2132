import { type RefObject, useEffect, useState } from 'react';

type Beyond = 'start' | 'end' | 'both' | undefined;

/** The edges of a box at which scrolling sideways reaches more, because its content is wider than it is. */
export function useBeyond(scroller: RefObject<HTMLElement | null>): Beyond {
  const [beyond, setBeyond] = useState<Beyond>();
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const [start, end] = [scrollLeft > 4, scrollLeft + clientWidth < scrollWidth - 4];
      setBeyond(start && end ? 'both' : start ? 'start' : end ? 'end' : undefined);
    };
    const observer = new ResizeObserver(look);
    for (const each of [element, ...element.children]) observer.observe(each);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller]);
  return beyond;
}

/** An edge behind which there is more fades. The box names it in `data-beyond`. */
export const fadeClass =
  'data-[beyond=both]:mask-x-from-[calc(100%-2.5rem)] data-[beyond=end]:mask-r-from-[calc(100%-2.5rem)] data-[beyond=start]:mask-l-from-[calc(100%-2.5rem)]';
