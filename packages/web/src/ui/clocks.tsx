import { formatDay } from '../lib/format.ts';
import { cn } from './cn.ts';

interface Dates {
  promo_start: string | null;
  promo_expires: string | null;
  expires_at: string | null;
}

/** The time in which a deal may be sold, in words. */
function saleWindow({ promo_start: from, promo_expires: until }: Dates): string {
  if (from && until) return `${formatDay(from)} – ${formatDay(until)}`;
  if (from) return `From ${formatDay(from)}`;
  return until ? `Until ${formatDay(until)}` : 'No end';
}

/**
 * The three dates that are easily confused: until when a deal may be sold, until when its serials have to be redeemed,
 * and how long a license lasts after that.
 */
export function clocksOf(dates: Dates): [label: string, value: string][] {
  return [
    ['Sale window', saleWindow(dates)],
    ['Redeem by', dates.expires_at ? formatDay(dates.expires_at) : 'No end'],
    ['License', 'Never ends'],
  ];
}

export function Clocks({ deal, className }: { deal: Dates; className?: string }) {
  return (
    <dl className={cn('figures flex flex-col gap-1 text-sm', className)}>
      {clocksOf(deal).map(([label, value]) => (
        <div key={label} className="flex items-baseline justify-between gap-4">
          <dt className="shrink-0 text-muted">{label}</dt>
          <dd className="text-balance text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
