import { createFileRoute } from '@tanstack/react-router';
import { listPayoutsStatus } from '@tonerow/sdk/values';
import { PayoutsPage } from '#features/payouts/payouts-page.tsx';
import { id, matching, oneOf, or, searchSchema } from '#lib/navigation/search-params.ts';
import { useSearchState } from '#lib/navigation/use-search-state.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

/** A number with up to two decimals, as it was typed. */
const amount = matching(/^\d{1,6}([.,]\d{1,2})?$/);

export const Route = createFileRoute('/_app/dashboard/payouts/')({
  ...searchSchema({
    tab: or(oneOf(['statements', 'what-if']), 'owed'),
    status: oneOf(listPayoutsStatus),
    reseller: id,
    months: or(oneOf<number>([1, 3, 6, 12, 24]), 3),
    rate: amount,
    price: amount,
    product: id,
  }),
  beforeLoad: requireDeveloper,
  component: PayoutsScreen,
});

function PayoutsScreen() {
  const [{ tab, status, ...terms }, change] = useSearchState(Route);
  return (
    <PayoutsPage
      tab={tab}
      status={status}
      onStatus={(next) => change({ status: next })}
      terms={terms}
      onTerms={(next) => change(next, { replace: true })}
    />
  );
}
