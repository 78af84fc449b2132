import type { ReactNode } from 'react';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import { salesFilterOf, type TransactionFilter, transactionFilterOf } from '#lib/queries/sales.ts';
import { FilterBar, noFilter } from '#ui/lists/filter-bar.tsx';
import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { chosenIn } from '#widgets/lists/choice-filters.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { CustomerList } from './customer-list.tsx';
import { TransactionFilters, transactionKinds } from './transaction-filters.tsx';
import { TransactionList } from './transaction-list.tsx';
import { type TransactionTab, transactionTabs } from './transaction-tabs.ts';

const names: Record<TransactionTab, string> = {
  customers: 'Customers',
  transactions: 'Transactions',
  payouts: 'Payouts',
};

interface TransactionsHubProps {
  tab: TransactionTab;
  filter: TransactionFilter;
  page: number;
  onFilter: (filter: TransactionFilter) => void;
  onPage: (page: number) => void;
  /** What the Payouts tab shows; without it there is none. */
  payouts?: ReactNode;
}

export function TransactionsHub({ tab, filter, page, onFilter, onPage, payouts }: TransactionsHubProps) {
  useTitle('Transactions');
  const list = { filter, page, onFilter, onPage };
  return (
    <>
      <PageHeader title="Transactions Hub">Who redeemed the serials you sold, and what you earned.</PageHeader>
      <TabNav label="Transactions Hub" className="mb-6">
        {transactionTabs
          .filter((each) => each !== 'payouts' || payouts)
          .map((each) => (
            <TabLink
              key={each}
              to="/reseller/transactions"
              search={each === 'customers' ? {} : { tab: each }}
              current={each === tab}
            >
              {names[each]}
            </TabLink>
          ))}
      </TabNav>
      {tab === 'payouts' && payouts ? (
        payouts
      ) : tab === 'transactions' ? (
        <>
          <FilterBar
            filter={filter}
            onFilter={(next) => onFilter({ ...filter, ...next })}
            placeholder="Search name, email, serial, product..."
            label="Search transactions"
            choices={<TransactionFilters filter={filter} onChosen={(chosen) => onFilter({ ...filter, ...chosen })} />}
            chosen={chosenIn(transactionKinds, filter)}
            onClear={() => onFilter({ ...noFilter, search: filter.search })}
          >
            <ExportTransactions filter={filter} />
          </FilterBar>
          <TransactionList {...list} />
        </>
      ) : (
        <>
          <FilterBar
            filter={filter}
            onFilter={onFilter}
            placeholder="Search name, email, product..."
            label="Search customers"
          >
            <SaveButton
              file="customers.csv"
              stream={() => api.stream.listResellerCustomers({ query: salesFilterOf(filter) }, { accept: 'text/csv' })}
            >
              Export CSV
            </SaveButton>
          </FilterBar>
          <CustomerList {...list} />
        </>
      )}
    </>
  );
}

/** Everything that matches the filter, not only the current page. */
function ExportTransactions({ filter }: { filter: TransactionFilter }) {
  return (
    <SaveButton
      file="transactions.csv"
      stream={() => api.stream.listTransactions({ query: transactionFilterOf(filter) }, { accept: 'text/csv' })}
    >
      Export CSV
    </SaveButton>
  );
}
