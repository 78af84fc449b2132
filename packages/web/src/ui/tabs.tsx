import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn.ts';

/** Tabs whose state is the address: real links, so Back and middle click work. */
export function TabNav({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <nav aria-label={label} className={cn('-mx-1 overflow-x-auto px-1', className)}>
      <div className="inline-flex gap-0.5 rounded-md border border-line bg-sunken p-[3px]">{children}</div>
    </nav>
  );
}

interface TabAnchorProps extends ComponentProps<'a'> {
  /** For tabs that differ by query only, which the router can't tell apart. */
  current?: boolean;
}

function TabAnchor({ className, current, 'aria-current': byPath, ...rest }: TabAnchorProps) {
  const marked = current ? 'page' : undefined;
  return (
    <a
      {...rest}
      aria-current={current === undefined ? byPath : marked}
      className={cn(
        'inline-flex h-[30px] items-center gap-2 rounded-sm px-3.5 text-sm font-medium whitespace-nowrap text-muted transition-colors hover:text-text max-[359px]:px-2 aria-[current=page]:bg-raised aria-[current=page]:text-text aria-[current=page]:shadow-raised aria-[current=page]:ring-1 aria-[current=page]:ring-line-strong',
        className,
      )}
    />
  );
}

export const TabLink: LinkComponent<typeof TabAnchor> = createLink(TabAnchor);
