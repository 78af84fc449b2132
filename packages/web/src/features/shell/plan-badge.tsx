import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '#lib/format/format.ts';
import { planQuery, usageQuery } from '#lib/queries/account.ts';
import { cn } from '#ui/cn.ts';

const SEGMENTS = 12;

/** How much of the quota is used, in whole percent. */
export function usedPercent(redemptions: number, quota: number | undefined): number {
  return quota ? Math.min(100, Math.round((redemptions / quota) * 100)) : 0;
}

/** Only a plan that stops at its quota has something to warn of. */
function colorOf(percent: number, capped: boolean): string {
  if (!capped || percent < 80) return 'text-accent-text';
  return percent === 100 ? 'text-bad' : 'text-warn';
}

/** The developer's plan's quota as a tone row: one cell for each twelfth that is used. */
export function PlanBadge() {
  const plan = useQuery(planQuery);
  const usage = useQuery(usageQuery);
  if (!plan.data || !usage.data) return null;
  const { name, redemption_quota: quota, overage_cents: overage } = plan.data;
  const { redemptions } = usage.data;
  const percent = usedPercent(redemptions, quota);
  const lit = percent === 0 ? 0 : Math.max(1, Math.floor((percent / 100) * SEGMENTS));
  const figures = `${formatCount(redemptions)}/${formatCount(quota)}`;
  return (
    <Link
      to="/dashboard/settings"
      hash="plan"
      aria-label={`${figures} redemptions this month, ${name} plan`}
      title={`${name}: ${figures} redemptions this month`}
      className="mr-1 hidden h-8 items-center gap-2.5 rounded-md px-2.5 hover:bg-hover md:flex"
    >
      <span className="figures text-sm font-medium text-muted">{figures}</span>
      <span
        role="progressbar"
        aria-label="Used of this month's redemptions"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className={cn('flex gap-[3px]', colorOf(percent, overage === null))}
      >
        {Array.from({ length: SEGMENTS }, (_, cell) => (
          <span key={cell} className={cn('h-3 w-[5px] rounded-[2px]', cell < lit ? 'bg-current' : 'bg-line-strong')} />
        ))}
      </span>
    </Link>
  );
}
