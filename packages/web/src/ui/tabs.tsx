import { createLink, type LinkComponent } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { cn } from './cn.ts';
import { fadeClass, useBeyond } from './scroll-edges.ts';

/** Tabs whose state is the address: real links, so Back and middle click work. An edge that hides more of them fades. */
export function TabNav({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  const bar = useRef<HTMLElement>(null);
  const beyond = useBeyond(bar);
  useCurrentInView(bar);
  return (
    <nav
      ref={bar}
      aria-label={label}
      data-beyond={beyond}
      className={cn('-mx-1 overflow-x-auto px-1', fadeClass, className)}
    >
      <div className="inline-flex gap-0.5 rounded-md border border-line bg-sunken p-[3px]">{children}</div>
    </nav>
  );
}

/**
 * Scrolls the current tab into view for somebody who arrives by another way than the tabs. The page itself does not
 * move.
 */
function useCurrentInView(scroller: RefObject<HTMLElement | null>) {
  const shown = useRef<Element>(null);
  useEffect(() => {
    const element = scroller.current;
    const current = element?.querySelector<HTMLElement>('[aria-current=page]');
    if (!element || !current || current === shown.current) return;
    shown.current = current;
    const [bar, tab] = [element.getBoundingClientRect(), current.getBoundingClientRect()];
    element.scrollLeft += tab.left - bar.left - (bar.width - tab.width) / 2;
  });
}

interface TabAnchorProps extends ComponentProps<'a'> {
  /** Marks tabs that differ only by query, because the router takes them for one. */
  current?: boolean;
}

function TabAnchor({ className, current, 'aria-current': byPath, ...rest }: TabAnchorProps) {
  const marked = current ? 'page' : undefined;
  return (
    <a
      {...rest}
      aria-current={current === undefined ? byPath : marked}
      className={cn(
        'inline-flex h-[30px] items-center gap-2 rounded-sm px-3.5 text-sm font-medium whitespace-nowrap text-muted transition-colors hover:text-text max-[399px]:px-3 max-[359px]:px-2 aria-[current=page]:bg-raised aria-[current=page]:text-text aria-[current=page]:shadow-raised aria-[current=page]:ring-1 aria-[current=page]:ring-line-strong',
        className,
      )}
    />
  );
}

export const TabLink: LinkComponent<typeof TabAnchor> = createLink(TabAnchor);
