import { useQuery } from '@tanstack/react-query';
import { formatCount, formatExactMoney, formatMoney, plural, toDollars } from '#lib/format/format.ts';
import { planQuery } from '#lib/queries/account.ts';
import { currentUsageQuery } from '#lib/queries/billing.ts';
import { formatMonth } from '#lib/time/period.ts';
import type { BillingUsage, Plan } from '#lib/types.ts';
import { planNames } from '#ui/billing/plan-tile.tsx';
import { QuotaBar } from '#ui/billing/quota-bar.tsx';
import { LinkButton } from '#ui/button.tsx';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';

/** The plan, and what the running month costs so far. */
export function MonthSection({ today }: { today: string }) {
  const usage = useQuery(currentUsageQuery);
  const { data } = usage;
  return (
    <>
      <PlanCard />
      <section aria-labelledby="this-month" aria-busy={!data && !usage.isError} className="mt-8">
        <h2 id="this-month" className="mb-3 font-semibold">
          This month <span className="ml-1 text-sm font-normal text-muted">{formatMonth(today)} (UTC)</span>
        </h2>
        <Panel className="overflow-hidden">
          {usage.isError ? (
            <Failed
              title="Couldn't load usage."
              error={usage.error}
              retry={usage.refetch}
              retrying={usage.isFetching}
              className="py-12"
            />
          ) : (
            <>
              <MonthCards data={data} />
              <MonthTotal data={data} />
            </>
          )}
        </Panel>
      </section>
    </>
  );
}

function MonthTotal({ data }: { data: BillingUsage | undefined }) {
  return (
    <div className="flex flex-wrap items-end gap-x-10 gap-y-5 border-t border-line p-5">
      <div className="min-w-56 flex-1">
        {data ? (
          <QuotaBar used={data.used} quota={data.free} capped={data.blockAtCap} />
        ) : (
          <span className="skeleton block h-[38px]" />
        )}
      </div>
      <p className="text-right max-sm:w-full max-sm:text-left">
        <span className="block text-sm text-muted">Estimated total</span>
        {data ? (
          <strong className="figures text-xl font-semibold tracking-[-0.025em]">
            {formatExactMoney(data.estimated_total)}
          </strong>
        ) : (
          <span className="skeleton mt-1 inline-block h-8 w-28" />
        )}
      </p>
    </div>
  );
}

function MonthCards({ data }: { data: BillingUsage | undefined }) {
  return (
    <FigureCards across={3}>
      <FigureCard name="Plan" value={data && planNames({ name: data.label })[0]}>
        {data && `${formatCount(data.free)} free redemptions`}
      </FigureCard>
      <FigureCard name="Used redemptions" value={data && formatCount(data.used)}>
        {data && (data.used < data.free ? `${formatCount(data.free - data.used)} free ones left` : 'No free ones left')}
      </FigureCard>
      <FigureCard name="Overage redemptions" value={data && formatCount(data.overage_redemptions)}>
        {data &&
          (data.blockAtCap
            ? 'Redemptions stop at the quota'
            : `${formatExactMoney(data.unitPrice)} each above the quota`)}
      </FigureCard>
      <FigureCard name="Overage cost" value={data && formatExactMoney(data.overage_cost)}>
        {data && (data.blockAtCap ? 'No overage on this plan' : 'At the overage price when it was redeemed')}
      </FigureCard>
      <FigureCard name="Subscription fee" value={data && formatExactMoney(data.subscription_fee)}>
        Of the highest plan held this month
      </FigureCard>
      <FigureCard name="Refresh charges" value={data && formatExactMoney(data.refresh_cost)}>
        {data && plural(data.refresh_count, 'download refresh', 'download refreshes')}
      </FigureCard>
    </FigureCards>
  );
}

function PlanCard() {
  const plan = useQuery(planQuery);
  return (
    <Panel className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 p-5">
      <div className="min-w-0">
        <h2 className="text-sm text-muted">Current plan</h2>
        {plan.data ? (
          <PlanWords plan={plan.data} />
        ) : plan.isError ? (
          <p>Your plan couldn't be loaded.</p>
        ) : (
          <span className="skeleton mt-1 block h-11 w-60 max-w-full" />
        )}
      </div>
      <LinkButton to="/app/settings" hash="plan">
        Manage Plan
      </LinkButton>
    </Panel>
  );
}

function PlanWords({ plan }: { plan: Plan }) {
  const [name, way] = planNames(plan);
  return (
    <>
      <p className="text-lg font-semibold tracking-[-0.02em]">
        {name} <span className="text-sm font-normal tracking-normal text-muted">{way}</span>
      </p>
      <p className="figures text-sm text-muted">
        ${formatCount(toDollars(plan.price_cents))} a {plan.interval} · {formatCount(plan.redemption_quota)} free
        redemptions
        {' · '}
        {plan.overage_cents === null
          ? 'Capped at limit'
          : `then ${formatMoney(toDollars(plan.overage_cents))} per redemption`}
      </p>
    </>
  );
}
