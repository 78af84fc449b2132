import { useQuery } from '@tanstack/react-query';
import { formatCount, toDollars } from '../../lib/format.ts';
import { planQuery, plansQuery, usageQuery } from '../../lib/queries/account.ts';
import type { Plan } from '../../lib/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { cn } from '../../ui/cn.ts';
import { Panel } from '../../ui/page.tsx';
import { QuotaBar } from '../../ui/quota-bar.tsx';
import { Failed } from '../../ui/states.tsx';

const tiles = 'grid gap-3 sm:grid-cols-2 xl:grid-cols-4';

/** The four plans, with the account's own and its usage. */
export function PlanSection() {
  const plans = useQuery(plansQuery);
  const mine = useQuery(planQuery);
  const usage = useQuery(usageQuery);
  const broken = [plans, mine, usage].find((query) => query.isError);
  if (broken) {
    return (
      <Panel>
        <Failed
          title="Plans couldn't be loaded"
          error={broken.error}
          retry={() => Promise.all([plans, mine, usage].map((query) => query.refetch()))}
          retrying={[plans, mine, usage].some((query) => query.isFetching)}
          className="py-10"
        />
      </Panel>
    );
  }
  if (!plans.data || !mine.data || !usage.data) {
    return (
      <div role="status" className="flex flex-col gap-5">
        <span className="sr-only">Loading the plans</span>
        <span className="skeleton h-12" />
        <div className={tiles}>
          {[0, 1, 2, 3].map((tile) => (
            <span key={tile} className="skeleton h-[186px]" />
          ))}
        </div>
      </div>
    );
  }
  return (
    <>
      <QuotaBar used={usage.data.redemptions} quota={mine.data.redemption_quota} />
      <ul className={tiles}>
        {plans.data.map((plan) => (
          <PlanTile key={plan.id} plan={plan} current={plan.id === mine.data.id} />
        ))}
      </ul>
      <p className="text-sm text-muted">
        You can't switch plans yet; that will come with billing. Until then you stay on {mine.data.name}.
      </p>
    </>
  );
}

function PlanTile({ plan, current }: { plan: Plan; current: boolean }) {
  const [name, by] = plan.name.split(/ \(|\)/);
  return (
    <li
      aria-current={current || undefined}
      className={cn(
        'flex min-w-0 flex-col gap-4 rounded-lg border p-4',
        current ? 'border-accent bg-surface' : 'border-line bg-surface',
      )}
    >
      <div className="flex min-h-11 items-start justify-between gap-2">
        <h3 className="font-semibold">
          {name}
          <span className="block text-sm font-normal text-muted">{by || 'Monthly'}</span>
        </h3>
        {current ? <Badge tone="accent">Current</Badge> : null}
      </div>
      <p className="figures flex items-baseline gap-1.5">
        <span className="text-xl font-semibold tracking-[-0.03em]">${Math.round(toDollars(plan.price_cents))}</span>
        <span className="text-sm text-muted">a month</span>
      </p>
      <div className="figures text-sm">
        <p>{formatCount(plan.redemption_quota)} free redemptions per month</p>
        <p className="text-muted">
          {plan.overage_cents === null ? 'Capped at limit' : `Then ${plan.overage_cents}¢ per redemption`}
        </p>
        <p className="mt-2 text-muted">{plan.key === 'free' ? 'No card required' : 'Card required'}</p>
      </div>
    </li>
  );
}
