import { formatCount } from '#lib/format/format.ts';
import { cn } from '../cn.ts';

const cells = 12;

interface QuotaBarProps {
  used: number;
  quota: number;
  /** Whether redemptions stop when the quota is used up. */
  capped?: boolean;
}

/** How much of the month's quota is used: twelve cells, filled in proportion. */
export function QuotaBar({ used, quota, capped = false }: QuotaBarProps) {
  const percent = quota > 0 ? Math.min(100, Math.round((used / quota) * 100)) : 0;
  // The first redemption fills a cell, and the last cell fills only with the last one.
  const lit = used > 0 ? Math.max(1, Math.floor((percent / 100) * cells)) : 0;
  const full = used >= quota;
  const color = !capped ? 'bg-accent' : full ? 'bg-bad-fill' : percent >= 80 ? 'bg-warn' : 'bg-accent';
  return (
    <div className="flex flex-col gap-2">
      <p className="figures flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <strong className="font-semibold">{formatCount(used)}</strong>
          <span className="text-muted"> of {formatCount(quota)} redemptions this month</span>
        </span>
        {capped && full ? (
          <span className="text-sm font-medium text-bad">Capped at limit</span>
        ) : (
          <span className="text-sm text-muted">{percent}%</span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label="Redemptions this month"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="grid grid-cols-12 gap-1"
      >
        {Array.from({ length: cells }, (_, cell) => (
          <span key={cell} className={cn('h-2 rounded-[3px]', cell < lit ? color : 'bg-line')} />
        ))}
      </div>
    </div>
  );
}
