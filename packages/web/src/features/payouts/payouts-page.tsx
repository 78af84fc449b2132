import { useTitle } from '#lib/hooks.ts';
import type { PayoutStatus } from '#lib/types.ts';
import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { BalanceList } from './balance-list.tsx';
import { PayoutList } from './payout-list.tsx';
import { WhatIf } from './what-if.tsx';
import type { Terms } from './what-if-form.tsx';

interface PayoutsPageProps {
  tab: 'owed' | 'statements' | 'what-if';
  status: PayoutStatus | undefined;
  onStatus: (status: PayoutStatus | undefined) => void;
  terms: Terms;
  onTerms: (terms: Terms) => void;
}

/** The developer's view of the money that resellers hold. */
export function PayoutsPage({ tab, status, onStatus, terms, onTerms }: PayoutsPageProps) {
  useTitle('Payouts');
  return (
    <>
      <PageHeader title="Payouts">What your resellers owe you, and the statement of each month.</PageHeader>
      <TabNav label="Payouts" className="mb-6">
        <TabLink to="/dashboard/payouts" search={{}} current={tab === 'owed'}>
          Who owes what
        </TabLink>
        <TabLink to="/dashboard/payouts" search={{ tab: 'statements' }} current={tab === 'statements'}>
          Statements
        </TabLink>
        <TabLink to="/dashboard/payouts" search={{ tab: 'what-if' }} current={tab === 'what-if'}>
          What if
        </TabLink>
      </TabNav>
      {tab === 'owed' ? <BalanceList /> : null}
      {tab === 'statements' ? <PayoutList side="developer" status={status} onStatus={onStatus} /> : null}
      {tab === 'what-if' ? <WhatIf terms={terms} onTerms={onTerms} /> : null}
    </>
  );
}
