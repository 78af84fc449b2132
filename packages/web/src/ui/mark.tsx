import { cn } from './cn.ts';
import { filled, rowOrder } from './mark-cells.ts';

interface MarkProps {
  className?: string;
  /** Plays the row instead of showing the mark. */
  playing?: boolean;
}

/** Twelve notes in an order: a 4 × 3 grid of cells. */
export function Mark({ className, playing = false }: MarkProps) {
  return (
    <svg
      viewBox="0 0 30 22"
      className={cn('shrink-0 fill-current', playing && 'mark-play', className)}
      aria-hidden="true"
    >
      {rowOrder.map((turn, cell) => (
        <rect
          key={turn}
          x={(cell % 4) * 8}
          y={Math.floor(cell / 4) * 8}
          width="6"
          height="6"
          rx="1.6"
          opacity={playing || filled.has(cell) ? 1 : 0.24}
          style={playing ? ({ '--turn': turn } as React.CSSProperties) : undefined}
        />
      ))}
    </svg>
  );
}

export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2.5 text-md font-semibold tracking-[-0.02em]', className)}>
      <Mark className="h-[17px] text-accent-text" />
      Tonerow
    </span>
  );
}

/** Shown before the layout of a screen is known. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="grid min-h-60 place-items-center" role="status">
      <Mark className="h-7 text-accent-text" playing />
      <span className="sr-only">{label}</span>
    </div>
  );
}
