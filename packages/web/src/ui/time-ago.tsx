import { formatDay, formatLocal, formatRelative, formatUtc } from '../lib/format.ts';
import { cn } from './cn.ts';
import { Tooltip } from './tooltip.tsx';

/** `3 days ago`; the exact local and UTC time on hover or focus. */
export function TimeAgo({ iso, className }: { iso: string; className?: string }) {
  const far = Math.abs(Date.now() - new Date(iso).getTime()) > 30 * 86_400_000;
  return (
    <Tooltip
      content={
        <span className="figures grid grid-cols-[auto_1fr] gap-x-3">
          <span className="text-muted">Local</span>
          <span>{formatLocal(iso)}</span>
          <span className="text-muted">UTC</span>
          <span>{formatUtc(iso)}</span>
        </span>
      }
    >
      {(trigger) => (
        <time {...trigger} dateTime={iso} className={cn('figures rounded-[3px] whitespace-nowrap', className)}>
          {far ? formatDay(iso) : formatRelative(iso)}
        </time>
      )}
    </Tooltip>
  );
}
