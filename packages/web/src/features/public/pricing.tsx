import { useTitle } from '../../lib/hooks.ts';
import { getToken } from '../../lib/session.ts';
import { LinkButton } from '../../ui/button.tsx';
import { PublicLayout } from './public-layout.tsx';

const plans = [
  { name: 'Starter', by: 'Free', price: 0, quota: 50, overage: null },
  { name: 'Creator', by: 'Pay As You Go', price: 0, quota: 100, overage: 5 },
  { name: 'Pro', by: 'Monthly', price: 10, quota: 250, overage: 4 },
  { name: 'Elite', by: 'Monthly', price: 20, quota: 500, overage: 3 },
];

export function Pricing() {
  useTitle('Pricing');
  return (
    <PublicLayout>
      <h1 className="text-2xl font-semibold tracking-[-0.035em]">Pay for redemptions, nothing else</h1>
      <p className="mt-2 max-w-xl text-md text-muted">
        Products, serials, keys and activations are free on every plan. A redemption counts once, when a serial becomes
        a customer's.
      </p>
      <ul className="mt-10 grid overflow-hidden rounded-lg border border-line bg-surface sm:grid-cols-2 lg:grid-cols-4">
        {plans.map((plan) => (
          <li key={plan.name} className="-mt-px -ml-px flex flex-col gap-6 border-t border-l border-line p-6">
            <div>
              <h2 className="font-semibold">{plan.name}</h2>
              <p className="text-sm text-muted">{plan.by}</p>
            </div>
            <p className="figures flex items-baseline gap-1.5">
              <span className="text-2xl font-semibold tracking-[-0.035em]">${plan.price}</span>
              <span className="text-sm text-muted">a month</span>
            </p>
            <dl className="figures grid gap-3 text-sm">
              <div>
                <dt className="text-muted">Free redemptions per month</dt>
                <dd className="text-md font-medium">{plan.quota}</dd>
              </div>
              <div>
                <dt className="text-muted">Above that</dt>
                <dd className="text-md font-medium">
                  {plan.overage === null ? 'Capped at limit' : `$${(plan.overage / 100).toFixed(2)} per redemption`}
                </dd>
              </div>
            </dl>
            <p className="mt-auto text-sm text-muted">
              {plan.name === 'Starter' ? 'No card required' : 'Card required'}
            </p>
          </li>
        ))}
      </ul>
      {getToken() ? null : (
        <LinkButton to="/register" variant="primary" className="mt-8">
          Start on Starter
        </LinkButton>
      )}
    </PublicLayout>
  );
}
