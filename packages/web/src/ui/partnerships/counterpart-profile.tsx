import type { ReactNode } from 'react';
import { formatCount, formatMoney } from '#lib/format/format.ts';
import type { DeveloperProfile as Developer, ResellerProfile as Reseller } from '#lib/types.ts';
import { Facts } from '../details/facts.tsx';
import { TotalsPanel } from '../figures/totals-panel.tsx';
import { ProductImage } from '../product-image.tsx';
import { CounterpartStatus, companyFacts, contactOf } from './counterpart-facts.tsx';
import { PartnershipHistory } from './partnership-history.tsx';

interface CounterpartProfileProps {
  counterpart: Reseller | Developer;
  /** The reader's side. */
  side: 'developer' | 'reseller';
  actions?: ReactNode;
  /** Shown between the company and the history. */
  children?: ReactNode;
}

/** Everything about one counterpart, as either side sees the other. */
export function CounterpartProfile({ counterpart, side, actions, children }: CounterpartProfileProps) {
  const company = companyFacts(counterpart);
  const totals: [string, string][] = [
    ['Commission rate', `${counterpart.commission_rate}%`],
    ['Total redemptions', formatCount(counterpart.total_redemptions)],
    ['Total revenue', formatMoney(counterpart.total_revenue)],
    ['Total commission', formatMoney(counterpart.total_commission)],
  ];
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 items-center gap-4">
          <ProductImage
            src={counterpart.logo_url}
            name={counterpart.company_name}
            className="size-14 shrink-0 rounded-md border border-line object-contain"
          />
          <div className="min-w-0">
            <h1 className="text-xl font-semibold tracking-[-0.025em] wrap-anywhere">{counterpart.company_name}</h1>
            <p className="mt-1 flex flex-wrap items-center gap-2 text-muted">
              <CounterpartStatus status={counterpart.status} />
              {contactOf(counterpart)}
            </p>
          </div>
        </div>
        {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
      </header>
      <TotalsPanel totals={totals} />
      {company.some(([, value]) => value) ? (
        <section className="mt-8">
          <h2 className="mb-1 font-semibold">Company</h2>
          <Facts facts={company} />
        </section>
      ) : null}
      {children}
      <PartnershipHistory
        history={counterpart.history}
        total={counterpart.history_total}
        side={side}
        other={counterpart.company_name}
      />
    </>
  );
}

export function ProfileSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the profile</span>
      <span className="skeleton block h-14 w-72 max-w-full" />
      <span className="skeleton mt-6 block h-[104px] rounded-lg" />
      <span className="skeleton mt-9 block h-5 w-32" />
      <span className="skeleton mt-4 block h-40" />
    </div>
  );
}
