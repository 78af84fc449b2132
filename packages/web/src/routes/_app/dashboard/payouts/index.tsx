import { createFileRoute } from '@tanstack/react-router';
import { PayoutsPage } from '../../../../features/payouts/payouts-page.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';
import { choiceParam } from '../../../../lib/search-params.ts';
import { type PayoutStatus, payoutStatuses } from '../../../../lib/types.ts';

interface PayoutsSearch {
  tab?: 'statements' | undefined;
  status?: PayoutStatus | undefined;
}

export const Route = createFileRoute('/_app/dashboard/payouts/')({
  validateSearch: (search: Record<string, unknown>): PayoutsSearch => ({
    tab: choiceParam(search.tab, ['statements']),
    status: choiceParam(search.status, payoutStatuses),
  }),
  beforeLoad: requireDeveloper,
  component: PayoutsScreen,
});

function PayoutsScreen() {
  const { tab, status } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <PayoutsPage
      tab={tab ?? 'owed'}
      status={status}
      onStatus={(next) => navigate({ search: { tab: 'statements', status: next } })}
    />
  );
}
