import { useTitle } from '../../lib/hooks.ts';
import type { PayoutStatus } from '../../lib/types.ts';
import { PageHeader } from '../../ui/page.tsx';
import { TabLink, TabNav } from '../../ui/tabs.tsx';
import { BalanceList } from './balance-list.tsx';
import { PayoutList } from './payout-list.tsx';

interface PayoutsPageProps {
  tab: 'owed' | 'statements';
  status: PayoutStatus | undefined;
  onStatus: (status: PayoutStatus | undefined) => void;
}

/** The developer's view of the money that resellers hold. */
export function PayoutsPage({ tab, status, onStatus }: PayoutsPageProps) {
  useTitle('Payouts');
  return (
    <>
      <PageHeader title="Payouts">What your resellers owe you, and the statement of each month.</PageHeader>
      <TabNav label="Payouts" className="mb-5">
        <TabLink to="/dashboard/payouts" search={{}} current={tab === 'owed'}>
          Who owes what
        </TabLink>
        <TabLink to="/dashboard/payouts" search={{ tab: 'statements' }} current={tab === 'statements'}>
          Statements
        </TabLink>
      </TabNav>
      {tab === 'owed' ? <BalanceList /> : <PayoutList side="developer" status={status} onStatus={onStatus} />}
    </>
  );
}
