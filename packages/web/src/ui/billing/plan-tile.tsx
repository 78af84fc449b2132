import type { ReactNode } from 'react';
import { formatCount, formatMoney, formatPrice, toDollars } from '#lib/format/format.ts';
import type { Plan } from '#lib/types.ts';
import { cn } from '../cn.ts';

const tile = 'flex min-w-0 flex-col gap-5';

/** `Creator (Pay As You Go)`: the name, and how it is paid. */
export function planNames(plan: Pick<Plan, 'name'>): [name: string, way: string] {
  const [, name = plan.name, way = 'Monthly'] = /^(.+?)(?:\s*\((.+)\))?$/.exec(plan.name) ?? [];
  return [name, way];
}

interface PlanTileProps {
  plan: Plan;
  heading: 'h2' | 'h3';
  /** The account's own. */
  current?: boolean;
  badge?: ReactNode;
  /** Actions for the plan. */
  children?: ReactNode;
  className?: string;
}

/** The price and contents of a plan, for everybody and for the account that chooses. */
export function PlanTile({ plan, heading: Heading, current, badge, children, className }: PlanTileProps) {
  const [name, way] = planNames(plan);
  return (
    <li aria-current={current || undefined} className={cn(tile, className)}>
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <Heading className="font-semibold">{name}</Heading>
          <p className="text-sm text-muted">{way}</p>
        </div>
        {badge}
      </div>
      <p className="figures flex items-baseline gap-1.5">
        <span className="text-2xl font-semibold tracking-[-0.035em]">{formatPrice(toDollars(plan.price_cents))}</span>
        <span className="text-sm text-muted">a {plan.interval}</span>
      </p>
      <dl className="figures grid gap-3 text-sm">
        <div>
          <dt className="text-muted">Free redemptions per month</dt>
          <dd className="text-md font-medium">{formatCount(plan.redemption_quota)}</dd>
        </div>
        <div>
          <dt className="text-muted">Above that</dt>
          <dd className="text-md font-medium">
            {plan.overage_cents === null ? (
              'Capped at limit'
            ) : (
              <>
                {formatMoney(toDollars(plan.overage_cents))}{' '}
                <span className="text-sm font-normal text-muted">per redemption</span>
              </>
            )}
          </dd>
        </div>
      </dl>
      <div className="flex grow flex-col gap-3">
        <p className="text-sm text-muted">{plan.slug === 'free' ? 'No card required' : 'Card required'}</p>
        {children ? <div className="mt-auto flex flex-col gap-3">{children}</div> : null}
      </div>
    </li>
  );
}

export function PlanTileSkeleton({ className, action }: { className?: string; action?: boolean }) {
  return (
    <li className={cn(tile, className)}>
      <span className="skeleton h-5 w-24" />
      <span className="skeleton h-9 w-28 max-w-full" />
      <span className="skeleton h-10 w-36 max-w-full" />
      <span className="skeleton h-10 w-32 max-w-full" />
      <span className="skeleton mt-auto h-4 w-28 max-w-full" />
      {action ? <span className="skeleton -mt-2 h-9" /> : null}
    </li>
  );
}
