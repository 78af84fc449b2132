import type { ReactNode } from 'react';
import { useTitle } from '#lib/hooks.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { ExportList, List } from '#widgets/lists/list.tsx';
import { buyerList } from './customer-list.tsx';
import type { SalesTab, TransactionFilter } from './list-filters.ts';
import { transactionList } from './transaction-list.tsx';

const names: Record<SalesTab, string> = {
  customers: 'Customers',
  transactions: 'Transactions',
  payouts: 'Payouts',
};
const tabs = Object.keys(names) as SalesTab[];

interface TransactionsHubProps {
  tab: SalesTab;
  place: ListPlace<TransactionFilter>;
  /** The content of the Payouts tab. */
  payouts: ReactNode;
}

export function TransactionsHub({ tab, place, payouts }: TransactionsHubProps) {
  useTitle('Transactions');
  const { search, dateRange } = place.filter;
  return (
    <>
      <PageHeader title="Transactions Hub">Who redeemed the serials you sold, and what you earned.</PageHeader>
      <TabNav label="Transactions Hub" className="mb-6">
        {tabs.map((each) => (
          <TabLink key={each} to="/reseller/transactions" search={{ tab: each }} current={each === tab}>
            {names[each]}
          </TabLink>
        ))}
      </TabNav>
      {tab === 'payouts' ? payouts : null}
      {tab === 'transactions' ? (
        <List of={transactionList} place={place}>
          <ExportList of={transactionList} filter={place.filter} />
        </List>
      ) : null}
      {tab === 'customers' ? (
        <List of={buyerList} place={{ ...place, filter: { search, dateRange } }}>
          <ExportList of={buyerList} filter={{ search, dateRange }} />
        </List>
      ) : null}
    </>
  );
}
