import { formatCount, formatMoney, toDollars } from '../../lib/format.ts';
import type { Plan } from '../../lib/types.ts';

const tile = '-mt-px -ml-px flex min-h-[316px] flex-col gap-6 border-t border-l border-line p-6';

export function PlanTile({ plan }: { plan: Plan }) {
  // `Creator (Pay As You Go)`: the name, and how it is paid below it
  const [, name = plan.name, way = 'Monthly'] = /^(.+?)(?:\s*\((.+)\))?$/.exec(plan.name) ?? [];
  return (
    <li className={tile}>
      <div>
        <h2 className="font-semibold">{name}</h2>
        <p className="text-sm text-muted">{way}</p>
      </div>
      <p className="figures flex items-baseline gap-1.5">
        <span className="text-2xl font-semibold tracking-[-0.035em]">${formatCount(toDollars(plan.price_cents))}</span>
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
            {plan.overage_cents === null
              ? 'Capped at limit'
              : `${formatMoney(toDollars(plan.overage_cents))} per redemption`}
          </dd>
        </div>
      </dl>
      <p className="mt-auto text-sm text-muted">{plan.slug === 'free' ? 'No card required' : 'Card required'}</p>
    </li>
  );
}

export function PlanTileSkeleton() {
  return (
    <li className={tile}>
      <span className="skeleton h-5 w-24" />
      <span className="skeleton h-9 w-28" />
      <span className="skeleton h-10 w-36" />
      <span className="skeleton h-10 w-32" />
      <span className="skeleton mt-auto h-4 w-28" />
    </li>
  );
}
