import { useQuery } from '@tanstack/react-query';
import { transactionsQuery } from '../../lib/queries/sales.ts';
import { CountedPages } from '../../ui/counted-pages.tsx';
import type { ListFilter } from '../../ui/filter-bar.tsx';
import { Panel } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { NoRows } from './no-rows.tsx';
import { TransactionCard, transactionColumns } from './transaction-rows.tsx';

export interface SalesListProps {
  filter: ListFilter;
  page: number;
  onFilter: (filter: ListFilter) => void;
  onPage: (page: number) => void;
}

export function TransactionList({ filter, page, onFilter, onPage }: SalesListProps) {
  const list = useQuery(transactionsQuery(filter, page));
  const { data } = list;
  return (
    <Panel className="overflow-hidden">
      {list.isError ? (
        <Failed
          title="Transactions couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      ) : data?.rows.length === 0 ? (
        <NoRows what="transactions" data={data} filter={filter} onFilter={onFilter} onPage={onPage} />
      ) : (
        <>
          <DataTable
            caption="Transactions"
            columns={transactionColumns}
            rows={data?.rows}
            rowKey={(row) => row.id}
            card={(row) => <TransactionCard row={row} />}
            stale={list.isPlaceholderData}
            skeletonRows={10}
            tall
          />
          {data ? <CountedPages data={data} what="transaction" page={page} onPage={onPage} /> : null}
        </>
      )}
    </Panel>
  );
}
