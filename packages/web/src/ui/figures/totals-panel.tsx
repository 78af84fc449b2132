import type { ReactNode } from 'react';
import { Panel } from '../page.tsx';

/** The figures that a record comes down to, in a row of their own. */
export function TotalsPanel({ totals }: { totals: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <Panel className="p-5 sm:p-6">
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-4">
        {totals.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="mt-1 text-lg font-semibold tracking-[-0.02em] wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
