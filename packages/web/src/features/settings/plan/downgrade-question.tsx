import { formatCount, formatExactMoney, formatMoney } from '#lib/format/format.ts';
import type { PlanSwitch } from '#lib/types.ts';
import { planNames } from '#ui/billing/plan-tile.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Notice } from '#ui/states.tsx';
import { UtcDay } from '#ui/time-ago.tsx';
import { SwitchError } from './switch-error.tsx';
import type { PlanSwitching } from './use-plan-switch.ts';

/** Before a plan that gives less: what it means from this moment on. */
export function DowngradeQuestion({ change }: { change: PlanSwitching }) {
  const { question, meaning } = change;
  const name = question ? planNames(question)[0] : '';
  return (
    <Confirm
      open={question !== null}
      onOpenChange={(open) => (open ? undefined : change.cancel())}
      title={`Switch to ${name}?`}
      action={`Switch to ${name}`}
      plain
      busy={change.switching !== null}
      blocked={!meaning}
      onConfirm={change.confirm}
    >
      {change.doubt ? (
        <SwitchError error={change.doubt} />
      ) : meaning ? (
        <Meaning meaning={meaning} />
      ) : (
        <div role="status" className="flex flex-col gap-2">
          <span className="sr-only">Calculating the effect</span>
          <span className="skeleton h-5" />
          <span className="skeleton h-5 w-3/4" />
        </div>
      )}
    </Confirm>
  );
}

function Meaning({ meaning }: { meaning: PlanSwitch }) {
  const { redemptions: used, redemption_quota: quota, overage_price: price, resumes_at: resumes } = meaning;
  return (
    <>
      <p>
        From now on {formatCount(quota)} redemptions a month are free
        {price === null
          ? ', and then redemptions stop until the next month.'
          : `, then each costs ${formatExactMoney(price)}.`}
      </p>
      {meaning.stops_now && resumes ? (
        <Notice tone="warn">
          You have used {formatCount(used)} this month, so{' '}
          <strong>
            nobody can redeem a serial until <UtcDay iso={resumes} /> (UTC)
          </strong>
          . Activations and downloads of what is redeemed keep working.
        </Notice>
      ) : price !== null && used >= quota ? (
        <Notice tone="warn">
          You have used {formatCount(used)} this month, so every redemption from now on costs {formatExactMoney(price)}.
        </Notice>
      ) : null}
      <p>
        {meaning.subscription_fee === meaning.next_subscription_fee
          ? `The subscription costs ${formatMoney(meaning.subscription_fee)} a month.`
          : `This month still costs ${formatMoney(meaning.subscription_fee)}, the next one ${formatMoney(meaning.next_subscription_fee)}.`}
      </p>
    </>
  );
}
