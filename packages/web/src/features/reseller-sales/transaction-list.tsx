import { api } from '#lib/api.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { q } from '#lib/queries/operation.ts';
import { kindOf } from '#widgets/lists/choice-filters.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { transactionFilters } from './list-filters.ts';
import { noSales } from './no-sales.tsx';
import { adjustmentNames, TransactionCard, transactionColumns } from './transaction-rows.tsx';

export const transactionList = defineList({
  name: 'transactions',
  title: 'Transactions',
  one: 'transaction',
  operation: 'listTransactions',
  filters: transactionFilters,
  search: { placeholder: 'Search name, email, serial, product...', label: 'Search transactions' },
  kinds: [
    kindOf.named('product', 'Product', 'None'),
    kindOf.named('developer', 'Developer', 'None'),
    kindOf.words('kind', 'Kind', { redemption: 'Redemption', ...adjustmentNames }),
  ],
  counts: (filter) => q('listTransactionChoices', { query: queryOf(filter) }),
  columns: transactionColumns,
  Card: TransactionCard,
  nameOf: (row) => row.code,
  csv: { file: 'transactions.csv', read: (query) => api.stream.listTransactions({ query }, { accept: 'text/csv' }) },
  empty: { title: 'No transactions found.', ...noSales },
  skeletonRows: 10,
  tall: true,
});
