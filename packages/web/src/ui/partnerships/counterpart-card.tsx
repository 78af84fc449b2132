import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatMoney } from '#lib/format/format.ts';
import { Facts } from '../details/facts.tsx';
import { Panel } from '../page.tsx';
import { ProductImage } from '../product-image.tsx';
import { type Counterpart, CounterpartStatus, companyFacts, contactOf } from './counterpart-facts.tsx';

interface CounterpartCardProps {
  counterpart: Counterpart;
  badge?: ReactNode;
  /** Links and buttons at the bottom. */
  children: ReactNode;
}

/** One counterpart in a grid: who it is, the terms and what was earned. The rest opens on a click. */
export function CounterpartCard({ counterpart, badge, children }: CounterpartCardProps) {
  const facts = companyFacts(counterpart).filter(([, value]) => value);
  return (
    <li>
      <Panel className="flex h-full flex-col gap-4 p-4">
        <div className="flex flex-wrap items-start gap-3">
          <ProductImage
            src={counterpart.logo_url}
            name={counterpart.company_name}
            className="size-12 shrink-0 rounded-md border border-line object-contain"
          />
          <div className="min-w-24 flex-1">
            <h2 className="font-semibold wrap-anywhere">{counterpart.company_name}</h2>
            <p className="truncate text-sm text-muted">{contactOf(counterpart)}</p>
          </div>
          <div className="flex flex-col items-end gap-1">
            <CounterpartStatus status={counterpart.status} />
            {badge}
          </div>
        </div>
        <dl className="figures grid grid-cols-3 gap-3 text-sm">
          {(
            [
              ['Commission', `${counterpart.commission_rate}%`],
              ['Redemptions', formatCount(counterpart.total_redemptions)],
              ['Earned', formatMoney(counterpart.total_commission)],
            ] as const
          ).map(([label, value]) => (
            <div key={label} className="min-w-0">
              <dt className="truncate text-xs text-muted">{label}</dt>
              <dd className="font-medium wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        {facts.length > 0 ? (
          <details className="group text-sm">
            <summary className="flex cursor-pointer list-none items-center gap-1 rounded-sm text-muted hover:text-text [&::-webkit-details-marker]:hidden">
              <ChevronDown className="size-4 transition-transform group-open:rotate-180" aria-hidden />
              Details<span className="sr-only"> of {counterpart.company_name}</span>
            </summary>
            <div className="mt-1 [&_dl]:grid-cols-1 [&_dl>div:last-child]:border-b-0">
              <Facts facts={facts} />
            </div>
          </details>
        ) : null}
        <div className="mt-auto flex flex-wrap items-center justify-end gap-2 border-t border-line pt-3.5">
          {children}
        </div>
      </Panel>
    </li>
  );
}
