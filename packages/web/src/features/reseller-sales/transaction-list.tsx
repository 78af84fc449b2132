import { useQuery } from '@tanstack/react-query';
import { viewFilter } from '#lib/lists/view-filter.ts';
import { type TransactionFilter, transactionFilterOf, transactionsQuery } from '#lib/queries/sales.ts';
import { CountedPages } from '#ui/lists/counted-pages.tsx';
import { noFilter } from '#ui/lists/filter-bar.tsx';
import { ListFrame } from '#ui/lists/list-frame.tsx';
import { ViewsMenu } from '#widgets/lists/views-menu.tsx';
import { NoRows } from './no-rows.tsx';
import { TransactionCard, transactionColumns } from './transaction-rows.tsx';

export interface SalesListProps {
  filter: TransactionFilter;
  page: number;
  onFilter: (filter: TransactionFilter) => void;
  onPage: (page: number) => void;
}

export function TransactionList({ filter, page, onFilter, onPage }: SalesListProps) {
  const list = useQuery(transactionsQuery(filter, page));
  const { data } = list;
  return (
    <ListFrame
      table="transactions"
      caption="Transactions"
      one="transaction"
      failed="Transactions couldn't be loaded"
      list={list}
      rows={data?.rows}
      rowKey={(row) => row.id}
      nameOf={(row) => row.code}
      columns={transactionColumns}
      card={(row) => <TransactionCard row={row} />}
      which={JSON.stringify(filter)}
      views={(columns) => (
        <ViewsMenu
          list="transactions"
          filter={viewFilter(transactionFilterOf(filter), undefined)}
          columns={columns}
          onApply={(view) => onFilter({ ...noFilter, ...view })}
        />
      )}
      empty={
        data ? <NoRows what="transactions" data={data} filter={filter} onFilter={onFilter} onPage={onPage} /> : null
      }
      footer={data ? <CountedPages data={data} what="transaction" page={page} onPage={onPage} /> : null}
      skeletonRows={10}
      tall
    />
  );
}
