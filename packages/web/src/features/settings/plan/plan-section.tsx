import { useQuery } from '@tanstack/react-query';
import { planQuery, plansQuery, usageQuery } from '#lib/queries/account.ts';
import { Badge } from '#ui/badge.tsx';
import { PlanTile, PlanTileSkeleton, planNames } from '#ui/billing/plan-tile.tsx';
import { QuotaBar } from '#ui/billing/quota-bar.tsx';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { DowngradeQuestion } from './downgrade-question.tsx';
import { SwitchError } from './switch-error.tsx';
import { usePlanSwitch } from './use-plan-switch.ts';

const tiles = 'grid gap-3 sm:grid-cols-2 2xl:grid-cols-4';
const tile = 'rounded-lg border bg-surface p-4';

/** The four plans, with the account's own and its usage. */
export function PlanSection() {
  const plans = useQuery(plansQuery);
  const ownPlan = useQuery(planQuery);
  const usage = useQuery(usageQuery);
  const change = usePlanSwitch();
  const queries = [plans, ownPlan, usage];
  const broken = queries.find((query) => query.isError);
  if (broken) {
    return (
      <Panel>
        <Failed
          title="Plans couldn't be loaded"
          error={broken.error}
          retry={() => Promise.all(queries.map((query) => query.refetch()))}
          retrying={queries.some((query) => query.isFetching)}
          className="py-10"
        />
      </Panel>
    );
  }
  if (!plans.data || !ownPlan.data || !usage.data) {
    return (
      <div role="status" className="flex flex-col gap-5">
        <span className="sr-only">Loading the plans</span>
        <span className="skeleton h-[38px]" />
        <ul className={tiles}>
          {[0, 1, 2, 3].map((each) => (
            <PlanTileSkeleton key={each} className={cn(tile, 'border-line')} action />
          ))}
        </ul>
      </div>
    );
  }
  const current = ownPlan.data;
  return (
    <>
      <QuotaBar
        used={usage.data.redemptions}
        quota={current.redemption_quota}
        capped={current.overage_cents === null}
      />
      <ul className={tiles}>
        {plans.data.map((plan) => {
          const own = plan.id === current.id;
          const switching = change.switching === plan.id;
          return (
            <PlanTile
              key={plan.id}
              plan={plan}
              heading="h3"
              current={own}
              className={cn(tile, own ? 'border-accent' : 'border-line')}
              badge={
                own ? (
                  <span className="flex flex-wrap justify-end gap-1">
                    {change.updated === plan.id ? (
                      <Badge tone="good" means="You have just switched to it.">
                        Updated
                      </Badge>
                    ) : null}
                    <Badge tone="accent" means="Your account is on this plan.">
                      Current
                    </Badge>
                  </span>
                ) : null
              }
            >
              {own ? (
                // as tall as a button, so that nothing moves when the plan is switched
                <span className="h-9" />
              ) : (
                <>
                  <Button disabled={change.switching !== null} onClick={() => change.ask(current, plan)}>
                    {switching ? 'Switching…' : `Switch to ${planNames(plan)[0]}`}
                  </Button>
                  {/* where it was asked for: below the other plans nobody would see it */}
                  {change.failed === plan.id ? <SwitchError error={change.error} /> : null}
                </>
              )}
            </PlanTile>
          );
        })}
      </ul>
      <p role="status" className="sr-only">
        {change.updated ? `Your plan is ${planNames(current)[0]} now.` : ''}
      </p>
      <DowngradeQuestion change={change} />
    </>
  );
}
