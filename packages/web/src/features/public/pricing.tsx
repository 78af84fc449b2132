import { useQuery } from '@tanstack/react-query';
import { useTitle } from '#lib/hooks.ts';
import { plansQuery } from '#lib/queries/account.ts';
import { getAccount, getToken } from '#lib/session/session.ts';
import { PlanTile, PlanTileSkeleton } from '#ui/billing/plan-tile.tsx';
import { LinkButton } from '#ui/button.tsx';
import { Failed } from '#ui/states.tsx';
import { PublicLayout } from './public-layout.tsx';

const tile = '-mt-px -ml-px min-h-[316px] border-t border-l border-line p-6';

export function Pricing() {
  useTitle('Pricing');
  const plans = useQuery(plansQuery);
  return (
    <PublicLayout>
      <h1 className="text-2xl font-semibold tracking-[-0.035em]">Pay for redemptions</h1>
      <p className="mt-2 max-w-xl text-md text-muted">
        Products, serials, keys and activations are free on every plan. A redemption counts once, when a serial becomes
        a customer’s. Resetting a download count costs as much as a redemption above the quota.
      </p>
      {plans.isError ? (
        <Failed
          className="mt-10 rounded-lg border border-line bg-surface"
          title="The plans couldn't be loaded"
          error={plans.error}
          retry={plans.refetch}
          retrying={plans.isFetching}
        />
      ) : (
        <ul
          aria-label="Plans"
          aria-busy={plans.isPending}
          className="mt-10 grid grid-cols-1 overflow-hidden rounded-lg border border-line bg-surface sm:grid-cols-2 lg:grid-cols-4"
        >
          {plans.data
            ? plans.data.map((plan) => <PlanTile key={plan.id} plan={plan} heading="h2" className={tile} />)
            : Array.from({ length: 4 }, (_, index) => <PlanTileSkeleton key={index} className={tile} />)}
        </ul>
      )}
      <NextStep />
    </PublicLayout>
  );
}

function NextStep() {
  if (!getToken()) {
    return (
      <LinkButton to="/register" variant="primary" className="mt-8">
        Start for free
      </LinkButton>
    );
  }
  if (getAccount()?.is_reseller) return null;
  return (
    <LinkButton to="/dashboard/settings" hash="plan" className="mt-8">
      Open your plan
    </LinkButton>
  );
}
