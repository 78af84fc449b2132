import { createFileRoute } from '@tanstack/react-router';
import { PayoutsPage } from '#features/payouts/payouts-page.tsx';
import { choiceParam, idParam, textParam } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';
import { type PayoutStatus, payoutStatuses } from '#lib/types.ts';

interface PayoutsSearch {
  tab?: 'statements' | 'what-if' | undefined;
  status?: PayoutStatus | undefined;
  reseller?: string | undefined;
  months?: number | undefined;
  rate?: string | undefined;
  price?: string | undefined;
  product?: string | undefined;
}

/** A number with up to two decimals, as it was typed. */
function amountParam(value: unknown): string | undefined {
  const text = textParam(value);
  return text && /^\d{1,6}([.,]\d{1,2})?$/.test(text) ? text : undefined;
}

export const Route = createFileRoute('/_app/dashboard/payouts/')({
  validateSearch: (search: Record<string, unknown>): PayoutsSearch => ({
    tab: choiceParam(search.tab, ['statements', 'what-if']),
    status: choiceParam(search.status, payoutStatuses),
    reseller: idParam(search.reseller),
    months: [1, 3, 6, 12, 24].find((months) => months === Number(search.months)),
    rate: amountParam(search.rate),
    price: amountParam(search.price),
    product: idParam(search.product),
  }),
  beforeLoad: requireDeveloper,
  component: PayoutsScreen,
});

function PayoutsScreen() {
  const { tab, status, reseller, months = 3, rate, price, product } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <PayoutsPage
      tab={tab ?? 'owed'}
      status={status}
      onStatus={(next) => navigate({ search: { tab: 'statements', status: next } })}
      terms={{ reseller, months, rate, price, product }}
      onTerms={(next) => navigate({ search: { tab: 'what-if', ...next }, replace: true })}
    />
  );
}
