import { type ReactNode, useEffect } from 'react';
import { cn } from '../cn.ts';

/** The buttons at the end of a form: in sight, at the bottom edge, while there is something to save. */
export function SaveBar({ dirty, children }: { dirty: boolean; children: ReactNode }) {
  useEffect(() => {
    // the field that is typed in must not end up under the bar
    if (dirty) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [dirty]);
  return (
    <div
      className={cn(
        'flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2',
        dirty && 'sticky bottom-0 z-10 -my-3 border-t border-line bg-canvas py-3',
      )}
    >
      {children}
    </div>
  );
}
