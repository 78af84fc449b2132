import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { cn } from '#ui/cn.ts';
import { SerialCode } from '#ui/serials/serial-code.tsx';

const rowHeight = 52;

/** Up to ten thousand codes; only the visible rows exist. */
export function CodeList({ codes }: { codes: string[] }) {
  const scroller = useRef<HTMLElement>(null);
  const [columns, setColumns] = useState(1);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setColumns(element.clientWidth >= 900 ? 3 : element.clientWidth >= 580 ? 2 : 1),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const rows = Math.ceil(codes.length / columns);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      aria-label="Generated codes"
      className="max-h-[520px] overflow-y-auto border-t border-line focus-visible:-outline-offset-2"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((row) => (
          <div
            key={row.key}
            className={cn(
              'absolute inset-x-0 top-0 grid border-b border-line',
              columns === 3 ? 'grid-cols-3' : columns === 2 ? 'grid-cols-2' : '',
            )}
            style={{ height: rowHeight, transform: `translateY(${row.start}px)` }}
          >
            {codes.slice(row.index * columns, (row.index + 1) * columns).map((code) => (
              <div
                key={code}
                className="flex min-w-0 items-center justify-between gap-2 border-r border-line pr-4 pl-6 last:border-r-0"
              >
                <SerialCode code={code} className="text-md" />
                <CopyButton compact text={code} what={code} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}
