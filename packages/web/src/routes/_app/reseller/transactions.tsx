import { createFileRoute } from '@tanstack/react-router';
import { TransactionsHub, type TransactionTab, transactionTabs } from '../../../features/sales/transactions-hub.tsx';
import { requireReseller } from '../../../lib/guards.ts';
import { choiceParam, pageParam, rangeParam, textParam } from '../../../lib/search-params.ts';

interface TransactionsSearch {
  tab?: Exclude<TransactionTab, 'customers'> | undefined;
  search?: string | undefined;
  dateRange?: string | undefined;
  page?: number | undefined;
}

export const Route = createFileRoute('/_app/reseller/transactions')({
  validateSearch: (search: Record<string, unknown>): TransactionsSearch => {
    const tab = choiceParam(search.tab, transactionTabs);
    return {
      tab: tab === 'customers' ? undefined : tab,
      search: textParam(search.search),
      dateRange: rangeParam(search.dateRange),
      page: pageParam(search.page),
    };
  },
  beforeLoad: requireReseller,
  component: TransactionsScreen,
});

function TransactionsScreen() {
  const { tab, search = '', dateRange = 'all', page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <TransactionsHub
      tab={tab ?? 'customers'}
      filter={{ search, dateRange }}
      page={page}
      onFilter={(next) =>
        navigate({
          search: {
            tab,
            search: next.search || undefined,
            dateRange: next.dateRange === 'all' ? undefined : next.dateRange,
          },
        })
      }
      onPage={(next) =>
        navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }), resetScroll: true })
      }
    />
  );
}
