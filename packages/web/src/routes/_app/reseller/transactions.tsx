import { createFileRoute } from '@tanstack/react-router';
import { PayoutList } from '#features/payouts/payout-list.tsx';
import { type TransactionTab, transactionTabs } from '#features/reseller-sales/transaction-tabs.ts';
import { TransactionsHub } from '#features/reseller-sales/transactions-hub.tsx';
import { choiceParam, pageParam, rangeParam, textParam } from '#lib/navigation/search-params.ts';
import { requireReseller } from '#lib/session/guards.ts';
import { type PayoutStatus, payoutStatuses } from '#lib/types.ts';

interface TransactionsSearch {
  tab?: Exclude<TransactionTab, 'customers'> | undefined;
  search?: string | undefined;
  dateRange?: string | undefined;
  page?: number | undefined;
  /** What is chosen of each filter: `a,b`, or `-a` for all but it. */
  product?: string | undefined;
  developer?: string | undefined;
  kind?: string | undefined;
  /** Of payouts. */
  status?: PayoutStatus | undefined;
}

export const Route = createFileRoute('/_app/reseller/transactions')({
  validateSearch: (search: Record<string, unknown>): TransactionsSearch => {
    const tab = choiceParam(search.tab, transactionTabs);
    return {
      tab: tab === 'customers' ? undefined : tab,
      search: textParam(search.search),
      dateRange: rangeParam(search.dateRange),
      page: pageParam(search.page),
      product: textParam(search.product),
      developer: textParam(search.developer),
      kind: textParam(search.kind),
      status: choiceParam(search.status, payoutStatuses),
    };
  },
  beforeLoad: requireReseller,
  component: TransactionsScreen,
});

function TransactionsScreen() {
  const { tab, search = '', dateRange = 'all', page = 1, status, product, developer, kind } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <TransactionsHub
      tab={tab ?? 'customers'}
      filter={{ search, dateRange, product, developer, kind }}
      page={page}
      payouts={
        <PayoutList
          side="reseller"
          status={status}
          onStatus={(next) => navigate({ search: { tab: 'payouts', status: next } })}
        />
      }
      onFilter={(next) =>
        navigate({
          search: {
            tab,
            search: next.search || undefined,
            dateRange: next.dateRange === 'all' ? undefined : next.dateRange,
            product: next.product,
            developer: next.developer,
            kind: next.kind,
          },
        })
      }
      onPage={(next) =>
        navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }), resetScroll: true })
      }
    />
  );
}
