import { createFileRoute } from '@tanstack/react-router';
import { listPayoutsStatus } from '@tonerow/sdk/values';
import { PayoutList } from '#features/payouts/payout-list.tsx';
import { salesSearch } from '#features/reseller-sales/list-filters.ts';
import { TransactionsHub } from '#features/reseller-sales/transactions-hub.tsx';
import { useListPlace } from '#lib/lists/list-place.ts';
import { oneOf, searchSchema } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/transactions')({
  // the status is that of payouts
  ...searchSchema({ ...salesSearch, status: oneOf(listPayoutsStatus) }),
  beforeLoad: requireReseller,
  component: TransactionsScreen,
});

function TransactionsScreen() {
  const {
    filter: { tab, status, ...filter },
    onFilter,
    ...place
  } = useListPlace(Route);
  return (
    <TransactionsHub
      tab={tab}
      place={{ ...place, filter, onFilter }}
      payouts={<PayoutList side="reseller" status={status} onStatus={(next) => onFilter({ status: next })} />}
    />
  );
}
